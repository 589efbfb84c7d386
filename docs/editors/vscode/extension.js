// The client of `occc lsp` in VS Code, and the button Run.
const { window, workspace, commands } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function settings() {
  const all = workspace.getConfiguration("occam");
  return { command: all.get("compiler"), options: all.get("arguments") };
}

function activate(context) {
  const { command, options } = settings();
  client = new LanguageClient("occam", "occam", { command, args: ["lsp", ...options] }, { documentSelector: [{ language: "occam" }] });
  client.start();
  context.subscriptions.push(commands.registerCommand("occam.run", runFile));
}

// In a terminal: the program may read the keyboard.
async function runFile() {
  const document = window.activeTextEditor && window.activeTextEditor.document;
  if (!document || document.languageId !== "occam" || !(await document.save())) {
    return;
  }
  const { command, options } = settings();
  const terminal = window.createTerminal({ name: "occam", shellPath: command, shellArgs: ["run", ...options, document.fileName] });
  terminal.show();
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
