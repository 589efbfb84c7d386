" In Vim: the text of $TEXT, typed anew line by line, gets the indentation that it has; indented as a whole, it keeps it.
set nocompatible
execute 'set runtimepath^=' . $ROOT . '/docs/editors/vim'
filetype plugin indent on
syntax on
let text = readfile($TEXT)
execute 'edit ' . $TEXT
let out = ['filetype ' . &filetype]
silent normal! gg=G
for i in range(len(text))
  if getline(i + 1) !=# text[i]
    call add(out, 'whole: ' . (i + 1) . ': ' . getline(i + 1))
  endif
endfor
%delete _
for i in range(len(text))
  " a line is begun where the editor puts it; what ends a block is the writer's to say
  let wanted = matchstr(text[i], '^ *')
  if i > 0
    execute 'normal! o' . (getline('.') =~ '^\s*--' || text[i] =~ '^\s*:\?$' ? '' : 'x')
    let got = matchstr(getline('.'), '^ *')
    if text[i] =~ '^\s*\S' && text[i] !~ '^\s*\%(--\|:\)' && len(got) < len(wanted)
      call add(out, 'typed: ' . (i + 1) . ': ' . len(got) . ' for ' . text[i])
    endif
  endif
  call setline('.', text[i])
endfor
for [line, group] in [['PROC p (CHAN INT in?)', 'occamDeclaration'], ['INT x:', 'occamType'], ['SEQ', 'occamProcess'], ['-- c', 'occamComment'],
                    \ ['--* d', 'occamDoc'], ['#INCLUDE "a"', 'occamDirective'], ['INT.x', '']]
  call setline(1, line)
  syntax sync fromstart
  let found = synIDattr(synID(1, 1, 1), 'name')
  if found !=# group
    call add(out, line . ' is ' . found)
  endif
endfor
call writefile(out + ['done'], $RESULT)
quitall!
