" Indentation of occam: two blanks deeper below what opens a block; ':' stands under its definition.
if exists("b:did_indent")
  finish
endif
let b:did_indent = 1

setlocal autoindent
setlocal indentexpr=OccamIndent(v:lnum)
setlocal indentkeys=o,O,!^F,0:
let b:undo_indent = "setlocal autoindent< indentexpr< indentkeys<"

if exists("*OccamIndent")
  finish
endif

let s:definition = '^\s*\%([A-Z[][]A-Z0-9,. []* \)\=\%(PROC\|FUNCTION\|PROTOCOL\|DATA TYPE\|CHAN TYPE\)\>'
let s:opener = '^\s*\%(PRI \|PLACED \)\=\%(SEQ\|PAR\|ALT\|IF\|CASE\|WHILE\|VALOF\|FORKING\|CLAIM\|RESIGN\|ENROLL\|RECORD\|ELSE\|TRUE\|PROCESSOR\)\>'

" Without its comment; strings keep theirs.
function s:Code(lnum)
  return substitute(getline(a:lnum), '^\%([^"]*"[^"]*"\)*[^"]\{-}\zs--.*$', '', '')
endfunction

" What encloses the line: the last one above that is less deep.
function s:Parent(lnum)
  let at = prevnonblank(a:lnum - 1)
  let depth = indent(a:lnum)
  while at > 0 && (indent(at) >= depth || getline(at) =~ '^\s*--')
    let at = prevnonblank(at - 1)
  endwhile
  return at
endfunction

" Does a line that is there stand where a block above goes on? Then it means that, and stays.
function s:IsLevel(lnum, wanted)
  if getline(a:lnum) !~ '\S' || indent(a:lnum) >= a:wanted
    return 0
  endif
  let at = prevnonblank(a:lnum - 1)
  while at > 0 && (indent(at) > indent(a:lnum) || getline(at) =~ '^\s*--')
    let at = prevnonblank(at - 1)
  endwhile
  return at > 0 && indent(at) == indent(a:lnum)
endfunction

function OccamIndent(lnum)
  let above = prevnonblank(a:lnum - 1)
  while above > 0 && getline(above) =~ '^\s*--'
    let above = prevnonblank(above - 1)
  endwhile
  if above == 0
    return 0
  endif
  if getline(a:lnum) =~ '^\s*:\s*$'
    let at = above
    while at > 0 && s:Code(at) !~ s:definition
      let at = s:Parent(at)
    endwhile
    return at > 0 ? indent(at) : 0
  endif
  let line = s:Code(above)
  let opens = line =~ s:opener || line =~ '\<RECORD\s*$' || line =~ '?\s*CASE\s*$'
  if line =~ s:definition && line !~ ':\s*$' && line !~ '\<IS\>'
    let opens = 1
  endif
  if line =~ '\%(\<IS\|[,(]\|[-+*/]\|\<AND\|\<OR\)\s*$'
    return getline(a:lnum) =~ '\S' ? indent(a:lnum) : indent(above) + shiftwidth()
  endif
  let parent = s:Parent(above)
  if !opens && parent > 0 && s:Code(parent) =~ '^\s*\%(PRI \)\=\%(ALT\|IF\|CASE\)\>\|?\s*CASE\s*$' && line !~ ':\s*$'
    let opens = 1 " a guard, a condition or an option
  endif
  let wanted = indent(above) + (opens ? shiftwidth() : 0)
  return s:IsLevel(a:lnum, wanted) ? indent(a:lnum) : wanted
endfunction
