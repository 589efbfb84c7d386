" Vim syntax of occam 2.1 and occam-pi, for occc.
" Keywords are upper-case words; names may contain dots.
if exists("b:current_syntax")
  finish
endif
syntax case match
syntax iskeyword @,48-57,_,.

syntax keyword occamProcess AFTER ALT ASM CASE CLAIM CLOSE DROP DYNCALL ELSE ENROLL FOR FORK FORKING FROM GUY
syntax keyword occamProcess IF NEXT PAR PRI PROCESSOR RESIGN RESUME SEQ SKIP STEP STOP SUSPEND SYNC WHILE
syntax keyword occamType ANY BARRIER BOOL BUFFERED BYTE CHAN CLOCK INT INT16 INT32 INT64 MOBILE MOBILE.ANY
syntax keyword occamType MOBILE.CHAN MOBILE.PROC MUTEX PORT REAL32 REAL64 RECORD SHARED TIMER UINT UINT16
syntax keyword occamType UINT32 UINT64
syntax keyword occamDeclaration ALIGNED AT DATA DMA EMPTY EXTENDS FIXED FUNCTION IMPLEMENTS IN INITIAL INLINE
syntax keyword occamDeclaration IS OF PACKED PLACE PLACED PROC PROTOCOL REC RECURSIVE RESHAPES RESULT RETYPES
syntax keyword occamDeclaration TRACES TYPE TYPEHASHCHECK VAL VALOF VECSPACE WORKSPACE
syntax keyword occamOperator ADDROF AND BITAND BITNOT BITOR BYTESIN CLONE CLOSED DEFINED HWADDROF MINUS MOSTNEG
syntax keyword occamOperator MOSTPOS NOT OFFSETOF OR PHASE PLUS REM ROUND SIZE TIMES TRUNC TYPEHASHOF
syntax keyword occamConstant FALSE TRUE UNDEFINED

syntax match occamNumber "\<\d\+\%(\.\d\+\%(E[+-]\d\+\)\=\)\="
syntax match occamNumber "#\x\+"
syntax match occamCharacter "'\%(\*#\x\x\|\*.\|[^*']\)'"
syntax match occamEscape contained "\*\%(#\x\x\|.\)"
syntax region occamString start=+"+ skip=+\*.+ end=+"+ contains=occamEscape
syntax match occamDirective "^\s*#\%(INCLUDE\|USE\|DEFINE\|UNDEF\|IF\|ELIF\|ELSE\|ENDIF\|PRAGMA\|ERROR\|WARNING\|OPTION\|SC\|EXTERNAL\|COMMENT\)\>.*" contains=occamString,occamComment
syntax match occamChannel "[?!]"
syntax match occamAssign ":="
syntax keyword occamTodo contained TODO FIXME XXX NOTE NEEDSWORK
syntax match occamComment "--.*$" contains=occamTodo,@Spell
syntax match occamDoc "--\*.*$" contains=occamTodo,@Spell
syntax match occamFoldMark "--\s*\%({{{\|}}}\).*$"

highlight default link occamProcess Statement
highlight default link occamType Type
highlight default link occamDeclaration Keyword
highlight default link occamOperator Operator
highlight default link occamConstant Constant
highlight default link occamNumber Number
highlight default link occamCharacter Character
highlight default link occamString String
highlight default link occamEscape SpecialChar
highlight default link occamDirective PreProc
highlight default link occamChannel Special
highlight default link occamAssign Operator
highlight default link occamTodo Todo
highlight default link occamComment Comment
highlight default link occamDoc SpecialComment
highlight default link occamFoldMark Folded

let b:current_syntax = "occam"
