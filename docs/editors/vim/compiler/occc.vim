" :make checks the buffer's file with occc.
if exists("current_compiler")
  finish
endif
let current_compiler = "occc"
CompilerSet makeprg=occc\ check\ %:S
CompilerSet errorformat=%f:%l:%c:\ %trror[%.%#]:\ %m,%f:%l:%c:\ %tarning[%.%#]:\ %m,%f:%l:%c:\ %tote[%.%#]:\ %m,%-G%.%#
