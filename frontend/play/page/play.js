// play.js -- the page of occc play: sends the program, and shows the frames of the answer as they come (server.occ).
"use strict";

const id = name => document.getElementById(name);
const plain = id("text");

// The text, in CodeMirror where the page has it (editor.js), else in the plain field.
const editor = {
  view: null,
  get text() { return this.view ? this.view.state.doc.toString() : plain.value; },
  set text(text) {
    if (this.view) this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    else plain.value = text;
  },
  go(line, column) {
    if (this.view) {
      const at = this.view.state.doc.line(Math.min(line, this.view.state.doc.lines)).from + column - 1;
      this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
      this.view.focus();
      return;
    }
    const before = plain.value.split("\n").slice(0, line - 1).join("\n");
    const at = (line > 1 ? before.length + 1 : 0) + column - 1;
    plain.focus();
    plain.setSelectionRange(at, at);
    plain.scrollTop = (line - 8) * parseFloat(getComputedStyle(plain).lineHeight);
  },
};

function clear() {
  for (const name of ["messages", "output", "picture", "end"]) id(name).replaceChildren();
}

function write(text, kind) {
  let piece = id("output").lastElementChild;
  if (!piece || piece.className !== kind) {
    piece = document.createElement("span");
    piece.className = kind;
    id("output").append(piece);
  }
  piece.append(text);
}

function showMessage(message) {
  const item = document.createElement("li");
  const hint = document.createElement("span");
  const place = message.location;
  item.className = message.severity;
  item.textContent = `${place ? `${place.line}:${place.column}: ` : ""}${message.severity}: ${message.message}`;
  hint.className = "hint";
  hint.textContent = [...(message.notes || []), ...(message.help || [])].map(one => one.message || one).join("\n");
  item.append(hint);
  if (place) item.onclick = () => editor.go(place.line, place.column);
  id("messages").append(item);
}

function showMessages(lines) {
  for (const line of lines.split("\n").filter(Boolean)) {
    try {
      showMessage(JSON.parse(line));
    } catch {
      write(line + "\n", "report");
    }
  }
}

const decoders = {};

// A character may be cut in two by the frames it comes in.
function decoded(kind, bytes) {
  decoders[kind] = decoders[kind] || new TextDecoder();
  return decoders[kind].decode(bytes, { stream: true });
}

function show(kind, bytes) {
  if (kind === "D") showMessages(new TextDecoder().decode(bytes));
  if (kind === "O") write(decoded(kind, bytes), "output");
  if (kind === "R") write(decoded(kind, bytes), "report");
  if (kind === "E") id("end").textContent = new TextDecoder().decode(bytes);
  if (kind === "S") {
    const picture = new DOMParser().parseFromString(new TextDecoder().decode(bytes), "image/svg+xml");
    if (picture.documentElement.nodeName === "svg") id("picture").replaceChildren(document.importNode(picture.documentElement, true));
  }
}

// Frames: a letter, a space, the length, a newline, so many bytes.
class Frames {
  bytes = new Uint8Array(0);

  add(more) {
    const all = new Uint8Array(this.bytes.length + more.length);
    all.set(this.bytes);
    all.set(more, this.bytes.length);
    this.bytes = all;
    for (;;) {
      const end = this.bytes.indexOf(10);
      if (end < 0) return;
      const length = parseInt(new TextDecoder().decode(this.bytes.subarray(2, end)), 10);
      if (this.bytes.length < end + 1 + length) return;
      show(String.fromCharCode(this.bytes[0]), this.bytes.subarray(end + 1, end + 1 + length));
      this.bytes = this.bytes.slice(end + 1 + length);
    }
  }
}

async function ask(what) {
  clear();
  for (const kind of Object.keys(decoders)) delete decoders[kind];
  for (const button of document.querySelectorAll("button")) button.disabled = true;
  try {
    const answer = await fetch(`${what}?input=${encodeURIComponent(id("input").value)}`, { method: "POST", body: editor.text });
    if (!answer.ok) throw new Error(await answer.text());
    const frames = new Frames();
    const reader = answer.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) frames.add(piece.value);
  } catch (error) {
    write(`${error.message}\n`, "report");
  }
  for (const button of document.querySelectorAll("button")) button.disabled = false;
  document.body.dataset.done = what;
}

// What the compiler says of a text while it is edited.
async function check(text) {
  const answer = await fetch("check", { method: "POST", body: text });
  const bytes = new TextDecoder().decode(await answer.arrayBuffer());
  const said = /^D \d+\n([^]*)/.exec(bytes);
  return said ? said[1].split("\n").filter(Boolean).map(line => JSON.parse(line)) : [];
}

function begin() {
  if (window.makeEditor) {
    plain.hidden = true;
    editor.view = makeEditor(id("editor"), check);
  }
  const list = id("examples");
  examples.forEach((example, i) => list.add(new Option(example.name, i)));
  list.onchange = () => { editor.text = examples[list.value].text; clear(); };
  for (const what of ["run", "graph", "trace"]) id(what).onclick = () => ask(what);
  document.addEventListener("keydown", event => { if (event.ctrlKey && event.key === "Enter") ask("run"); });
  plain.addEventListener("keydown", event => {
    if (event.key === "Tab") { event.preventDefault(); plain.setRangeText("  ", plain.selectionStart, plain.selectionEnd, "end"); }
  });
  editor.text = examples[0].text;
  const kept = new URLSearchParams(location.hash.slice(1));
  if (kept.has("text")) editor.text = kept.get("text");
  if (kept.has("do")) ask(kept.get("do"));
}

begin();
