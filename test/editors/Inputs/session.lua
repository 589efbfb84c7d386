-- In Neovim, without a screen: the language server starts, and answers what the editor asks. Writes what it saw to $RESULT.
local out = {}
local function say(...)
  table.insert(out, table.concat(vim.tbl_map(tostring, { ... }), " "))
end

local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
  for _, answer in pairs(vim.lsp.buf_request_sync(0, method, params, 5000) or {}) do
    return answer.result
  end
end

local function session()
  vim.opt.runtimepath:prepend(vim.env.ROOT .. "/docs/editors/vim")
  vim.cmd("filetype plugin indent on")
  dofile(vim.env.ROOT .. "/docs/editors/nvim/occam.lua")
  vim.cmd("edit " .. vim.env.TEXT)
  say("filetype", vim.bo.filetype)
  vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  for _, each in ipairs(vim.diagnostic.get(0)) do
    say("diagnostic", each.lnum + 1, each.col + 1, each.code)
  end
  vim.api.nvim_buf_set_lines(0, 4, 5, true, { "    x := x + 1" })
  say("mended", vim.wait(10000, function() return #vim.diagnostic.get(0) == 0 end, 20))
  vim.api.nvim_win_set_cursor(0, { 5, 4 })
  say("hover", vim.split(ask("textDocument/hover").contents.value, "\n")[2])
  local place = ask("textDocument/definition")
  say("definition", place.range.start.line + 1, place.range.start.character + 1)
  local uses = ask("textDocument/references", { context = { includeDeclaration = true } })
  say("references", #uses)
  vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", { newName = "count" }), "utf-16")
  say("renamed", vim.api.nvim_buf_get_lines(0, 4, 5, true)[1])
end

local ok, fault = pcall(session)
if not ok then
  say("failed:", fault)
end
vim.fn.writefile(out, vim.env.RESULT)
vim.cmd("quitall!")
