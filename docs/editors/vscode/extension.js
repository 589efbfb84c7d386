// The client of `occc lsp` in VS Code; the buttons Run, Graph and Trace; tasks; the debugger, which is `occc debug --dap`.
const vscode = require("vscode");
const { execFile } = require("child_process");
const os = require("os");
const path = require("path");
const { LanguageClient } = require("vscode-languageclient/node");
const { window, workspace, commands, debug, tasks } = vscode;

let client;

function settings() {
  const all = workspace.getConfiguration("occam");
  return { command: all.get("compiler"), options: all.get("arguments") };
}

// ---- buttons ----

// The text of the editor, saved; nothing when it is none of ours.
async function savedFile(uri) {
  const editor = window.activeTextEditor;
  const document = uri ? await workspace.openTextDocument(vscode.Uri.parse(String(uri))) : editor && editor.document;
  return document && document.languageId === "occam" && (!document.isDirty || (await document.save())) ? document.fileName : undefined;
}

// In a terminal: the program may read the keyboard.
function inTerminal(words, environment) {
  const terminal = window.createTerminal({ name: "occam", shellPath: settings().command, shellArgs: words, env: environment });
  terminal.show();
  return terminal;
}

async function runFile(uri) {
  const file = await savedFile(uri);
  return file && inTerminal(["run", ...settings().options, file]);
}

async function testFile(uri, name) {
  const file = await savedFile(uri);
  return file && inTerminal(["test", "-v", ...(name ? ["--run=" + name] : []), file]);
}

function showPage(file, title) {
  const panel = window.createWebviewPanel("occam." + title, title, vscode.ViewColumn.Beside, { enableScripts: true });
  return workspace.fs.readFile(vscode.Uri.file(file)).then((bytes) => { panel.webview.html = Buffer.from(bytes).toString(); });
}

function compiler(words) {
  return new Promise((resolve) => {
    execFile(settings().command, words, (error, out, said) => {
      if (error) { window.showErrorMessage("occc: " + (said || error.message).split("\n")[0]); }
      resolve(!error);
    });
  });
}

function scratch(file, suffix) {
  return path.join(os.tmpdir(), path.basename(file, ".occ") + suffix);
}

async function graphFile(uri) {
  const file = await savedFile(uri);
  const page = file && scratch(file, ".html");
  return file && (await compiler(["graph", ...settings().options, file, "-o", page])) && showPage(page, "Graph");
}

// The program runs in a terminal; when that is closed, the chart of its messages is shown.
async function traceFile(uri) {
  const file = await savedFile(uri);
  if (!file) { return; }
  const trace = scratch(file, ".trace");
  const chart = scratch(file, "-chart.svg");
  const terminal = inTerminal(["run", ...settings().options, file], { OCC_TRACE: trace });
  const closed = window.onDidCloseTerminal(async (each) => {
    if (each === terminal) {
      closed.dispose();
      if (await compiler(["trace", trace, "-o", chart])) { await showPage(chart, "Trace"); }
    }
  });
}

// ---- tasks ----

function task(command, definition) {
  const { command: occc, options } = settings();
  const words = command === "check" || command === "run" ? [command, ...options, definition.file || "${file}"] : [command];
  const made = new vscode.Task(definition, vscode.TaskScope.Workspace, command, "occc", new vscode.ProcessExecution(occc, words), "$occc");
  if (command === "build" || command === "check") { made.group = vscode.TaskGroup.Build; }
  if (command === "test") { made.group = vscode.TaskGroup.Test; }
  return made;
}

const taskProvider = {
  provideTasks: () => ["build", "check", "test", "run"].map((each) => task(each, { type: "occc", command: each })),
  resolveTask: (given) => task(given.definition.command, given.definition),
};

// ---- the debugger ----

const adapter = {
  createDebugAdapterDescriptor: () => new vscode.DebugAdapterExecutable(settings().command, ["debug", "--dap"]),
};

const configurations = {
  resolveDebugConfiguration: (folder, given) => (given.program ? given
    : { type: "occam", request: "launch", name: "Debug", program: window.activeTextEditor && window.activeTextEditor.document.fileName }),
};

// ----

function activate(context) {
  const { command, options } = settings();
  client = new LanguageClient("occam", "occam", { command, args: ["lsp", ...options] }, {
    documentSelector: [{ language: "occam" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{occ,inc,module,o,a}") },
  });
  client.start();
  context.subscriptions.push(
    commands.registerCommand("occam.run", runFile),
    commands.registerCommand("occam.graph", graphFile),
    commands.registerCommand("occam.trace", traceFile),
    commands.registerCommand("occam.test", testFile),
    tasks.registerTaskProvider("occc", taskProvider),
    debug.registerDebugAdapterDescriptorFactory("occam", adapter),
    debug.registerDebugConfigurationProvider("occam", configurations),
  );
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
