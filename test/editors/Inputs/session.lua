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

-- What Neovim may be told while it works, until it is so.
local function soon(what)
  return vim.wait(10000, what, 20)
end

local function newest()
  vim.api.nvim_buf_set_lines(0, 0, -1, true, { "PROC twice (VAL INT n, RESULT INT r)", "  r := n + n", ":", "PROC main (CHAN BYTE out!)", "  INT x:", "  SEQ",
    "    twice (3, x)", "    y := x", ":" })
  say("wrong", soon(function() return #vim.diagnostic.get(0) > 0 end))
  local text = { textDocument = vim.lsp.util.make_text_document_params() }
  local titles = {}
  soon(function()
    for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeLens", text, 5000)) do
      titles = vim.tbl_map(function(each) return each.command.title end, answer.result)
    end
    return #titles > 0
  end)
  say("lenses", table.concat(titles, ", "))
  vim.api.nvim_win_set_cursor(0, { 1, 6 })
  local item = ask("textDocument/prepareCallHierarchy")[1]
  say("calls", item.name)
  local callers = vim.lsp.buf_request_sync(0, "callHierarchy/incomingCalls", { item = item }, 5000)
  for _, answer in pairs(callers) do
    say("called by", answer.result[1].from.name, #answer.result[1].fromRanges)
  end
  vim.api.nvim_win_set_cursor(0, { 8, 4 })
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {} }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 5000)) do
    for _, action in ipairs(answer.result) do
      say("action", action.title)
    end
    vim.lsp.util.apply_workspace_edit(answer.result[1].edit, "utf-16")
  end
  say("mended", soon(function() return #vim.diagnostic.get(0) < 2 end), vim.api.nvim_buf_get_lines(0, 4, 5, true)[1])
  params = { textDocument = vim.lsp.util.make_text_document_params(), range = { start = { line = 7, character = 4 }, ["end"] = { line = 8, character = 10 } },
    context = { diagnostics = {} } }
  for _, answer in pairs(vim.lsp.buf_request_sync(0, "textDocument/codeAction", params, 5000)) do
    for _, action in ipairs(answer.result) do
      say("refactoring", action.title)
    end
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

local function everything()
  session()
  newest()
end

local ok, fault = pcall(everything)
if not ok then
  say("failed:", fault)
end
vim.fn.writefile(out, vim.env.RESULT)
vim.cmd("quitall!")
