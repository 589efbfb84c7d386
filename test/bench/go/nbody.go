// nbody: the twin of nbody.occ.
package main

import (
	"fmt"
	"math"
	"time"
)

const (
	steps     = 5000000
	solarMass = 4.0 * math.Pi * math.Pi
	days      = 365.24
)

type body struct{ x, y, z, vx, vy, vz, mass float64 }

func initial() [5]body {
	b := [5]body{
		{0, 0, 0, 0, 0, 0, 1},
		{4.84143144246472090, -1.16032004402742839, -0.103622044471123109,
			0.00166007664274403694, 0.00769901118419740425, -0.0000690460016972063023, 0.000954791938424326609},
		{8.34336671824457987, 4.12479856412430479, -0.403523417114321381,
			-0.00276742510726411131, 0.00499852801234917238, 0.0000230417297573763929, 0.000285885980666130812},
		{12.8943695621391310, -15.1111514016986312, -0.223307578892655734,
			0.00296460137564761618, 0.00237847173959480950, -0.0000296589568540237556, 0.0000436624404335156298},
		{15.3796971148509165, -25.9193146099879641, 0.179258772950371181,
			0.00268067772490389322, 0.00162824170038242295, -0.0000951592254519715870, 0.0000515138902046611451},
	}
	var px, py, pz float64
	for i := range b {
		b[i].vx *= days
		b[i].vy *= days
		b[i].vz *= days
		b[i].mass *= solarMass
		px += b[i].vx * b[i].mass
		py += b[i].vy * b[i].mass
		pz += b[i].vz * b[i].mass
	}
	b[0].vx, b[0].vy, b[0].vz = -px/solarMass, -py/solarMass, -pz/solarMass
	return b
}

func advance(b *[5]body, dt float64) {
	for i := 0; i < 5; i++ {
		for j := i + 1; j < 5; j++ {
			p, q := &b[i], &b[j]
			dx, dy, dz := p.x-q.x, p.y-q.y, p.z-q.z
			square := dx*dx + dy*dy + dz*dz
			mag := dt / (square * math.Sqrt(square))
			mi, mj := p.mass*mag, q.mass*mag
			p.vx -= dx * mj
			p.vy -= dy * mj
			p.vz -= dz * mj
			q.vx += dx * mi
			q.vy += dy * mi
			q.vz += dz * mi
		}
	}
	for i := range b {
		b[i].x += dt * b[i].vx
		b[i].y += dt * b[i].vy
		b[i].z += dt * b[i].vz
	}
}

func energy(b *[5]body) float64 {
	e := 0.0
	for i := range b {
		p := &b[i]
		e += 0.5 * p.mass * (p.vx*p.vx + p.vy*p.vy + p.vz*p.vz)
		for j := i + 1; j < 5; j++ {
			dx, dy, dz := p.x-b[j].x, p.y-b[j].y, p.z-b[j].z
			e -= p.mass * b[j].mass / math.Sqrt(dx*dx+dy*dy+dz*dz)
		}
	}
	return e
}

func main() {
	b := initial()
	start := time.Now()
	for i := 0; i < steps; i++ {
		advance(&b, 0.01)
	}
	took := time.Since(start).Microseconds()
	fmt.Printf("CHECK %.9f\n", energy(&b))
	fmt.Println("RESULT nbody", took, 1)
}
