// The client library of VS Code, as it is in the .vsix, talks with the real server: vscode_client.js EXTENSION OCCC FOLDER.
// Prints what it hears; the words that went over the pipe are kept in FOLDER/session.
const fs = require("fs");
const path = require("path");
const [extension, occc, folder] = process.argv.slice(2).map((each) => path.resolve(each));
const { spawn } = require("child_process");
const rpc = require(path.join(extension, "node_modules", "vscode-jsonrpc", "node"));
const protocol = require(path.join(extension, "node_modules", "vscode-languageserver-protocol"));

const session = fs.createWriteStream(path.join(folder, "session"));
const file = path.join(folder, "a.occ");
const text = "PROC twice (VAL INT n, CHAN INT out!)\n  out ! n + n\n:\nPROC main (CHAN BYTE screen!)\n  CHAN INT c:\n  INT x:\n" +
  "  SEQ\n    PAR\n      twice (3, c!)\n      c ? x\n    y := x\n:\n";
fs.writeFileSync(file, text);
const uri = "file://" + file;
const at = (line, character) => ({ textDocument: { uri }, position: { line, character } });

async function main() {
  const server = spawn(occc, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
  server.stdout.on("data", (bytes) => session.write("<- " + bytes + "\n"));
  const write = server.stdin.write.bind(server.stdin);
  server.stdin.write = (bytes, ...rest) => { session.write("-> " + bytes + "\n"); return write(bytes, ...rest); };
  const client = protocol.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  const published = [];
  let wake = () => {};
  client.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => { published.push(params); wake(); });
  client.listen();
  const begun = await client.sendRequest(protocol.InitializeRequest.type, { processId: process.pid, rootUri: "file://" + folder, capabilities: {} });
  console.log("lenses", !!begun.capabilities.codeLensProvider, "calls", begun.capabilities.callHierarchyProvider);
  await client.sendNotification(protocol.InitializedNotification.type, {});
  await client.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "occam", version: 1, text } });
  while (!published.some((each) => each.version === 1)) { await new Promise((resolve) => { wake = resolve; }); }
  for (const each of published.find((one) => one.version === 1).diagnostics) { console.log("diagnostic", each.range.start.line + 1, each.code); }
  const hover = await client.sendRequest(protocol.HoverRequest.type, at(8, 8));
  console.log("hover", JSON.stringify(hover.contents).includes("PROC twice (VAL INT n, CHAN INT out!)"));
  const definition = await client.sendRequest(protocol.DefinitionRequest.type, at(8, 8));
  console.log("definition", [].concat(definition)[0].range.start.line + 1);
  const lenses = await client.sendRequest(protocol.CodeLensRequest.type, { textDocument: { uri } });
  console.log("lens", lenses.map((each) => each.command.title).join(", "));
  const [item] = await client.sendRequest(protocol.CallHierarchyPrepareRequest.type, at(0, 6));
  const callers = await client.sendRequest(protocol.CallHierarchyIncomingCallsRequest.type, { item });
  console.log("called by", callers.map((each) => each.from.name).join(", "));
  const actions = await client.sendRequest(protocol.CodeActionRequest.type, { textDocument: { uri }, context: { diagnostics: [] },
    range: { start: { line: 10, character: 4 }, end: { line: 10, character: 4 } } });
  console.log("action", actions.map((each) => each.title).join(", "));
  const tokens = await client.sendRequest(protocol.SemanticTokensRequest.type, { textDocument: { uri } });
  console.log("tokens", tokens.data.length % 5 === 0 && tokens.data.length > 50);
  await client.sendRequest(protocol.ShutdownRequest.type);
  await client.sendNotification(protocol.ExitNotification.type);
  server.on("exit", (status) => { console.log("exit", status); session.end(); });
}

main().catch((error) => { console.log("FAILED", error); process.exit(1); });
