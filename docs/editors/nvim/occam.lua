-- The language server of occc in Neovim (0.7 or later): put this file into ~/.config/nvim/plugin/, and the folders of vim/
-- into ~/.config/nvim/. Other options of occc (-I, -W) go into the list `cmd`.
local function attach(event)
  local marks = vim.fs and vim.fs.find({ ".git", "Makefile" }, { upward = true, path = vim.fn.expand("<afile>:p:h") }) or {}
  local root = marks[1] and vim.fs.dirname(marks[1]) or vim.fn.getcwd()
  local settings = {
    name = "occc",
    cmd = { "occc", "lsp" },
    root_dir = root,
    capabilities = vim.lsp.protocol.make_client_capabilities(),
  }
  if vim.lsp.start then -- 0.8 and later
    vim.lsp.start(settings)
    return
  end
  vim.g.occc_client = vim.g.occc_client or vim.lsp.start_client(settings)
  vim.lsp.buf_attach_client(event.buf, vim.g.occc_client)
end

vim.api.nvim_create_autocmd("FileType", { pattern = "occam", callback = attach })
