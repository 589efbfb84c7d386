// The twin of copy.occ.
package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

func main() {
	names := make(chan string)
	var copies sync.WaitGroup
	for i := 0; i < 16; i++ {
		copies.Add(1)
		go func() {
			defer copies.Done()
			for name := range names {
				bytes, err := os.ReadFile(name)
				if err == nil {
					err = os.WriteFile(filepath.Join(os.Args[2], filepath.Base(name)), bytes, 0666)
				}
				if err != nil {
					panic(err)
				}
			}
		}()
	}
	filepath.WalkDir(os.Args[1], func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			names <- path
		}
		return err
	})
	close(names)
	copies.Wait()
}
