" What a buffer of occam needs: blanks, comments, folds, :make.
if exists("b:did_ftplugin")
  finish
endif
let b:did_ftplugin = 1

setlocal expandtab shiftwidth=2 softtabstop=2
setlocal comments=:--* comments+=:-- commentstring=--\ %s
setlocal iskeyword=@,48-57,_,.
setlocal foldmethod=expr foldexpr=OccamFold(v:lnum) foldlevel=99
setlocal suffixesadd=.occ,.module,.inc
setlocal include=^\\s*#\\%(INCLUDE\\\|USE\\)
compiler occc

let b:undo_ftplugin = "setlocal expandtab< shiftwidth< softtabstop< comments< commentstring< iskeyword< foldmethod< foldexpr< foldlevel< suffixesadd< include<"

if exists("*OccamFold")
  finish
endif

" Marks {{{ and }}} fold, and so do definitions.
function OccamFold(lnum)
  let line = getline(a:lnum)
  if line =~ '^\s*--\s*{{{'
    return 'a1'
  elseif line =~ '^\s*--\s*}}}'
    return 's1'
  elseif line =~ '^\s*\%([A-Z[][]A-Z0-9,. []* \)\=\%(PROC\|FUNCTION\|PROTOCOL\|DATA TYPE\|CHAN TYPE\)\>' && line !~ ':\s*\%(--.*\)\=$'
    return 'a1'
  elseif line =~ '^\s*:\s*\%(--.*\)\=$'
    return 's1'
  endif
  return '='
endfunction
