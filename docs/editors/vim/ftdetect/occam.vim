autocmd BufNewFile,BufRead *.occ,*.module setfiletype occam
autocmd BufNewFile,BufRead *.inc if search('^\s*\%(--\|VAL \|PROC \|PROTOCOL \|#PRAGMA\)', 'nw') | setfiletype occam | endif
