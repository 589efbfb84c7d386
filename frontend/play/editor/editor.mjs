// editor.mjs -- the editor of the page of occc play: CodeMirror 6 with the words of occam, and what the compiler says in its place.
// `make play-editor` bundles it; without it the page has a plain field.
import { basicSetup, EditorView } from "codemirror";
import { indentUnit, StreamLanguage } from "@codemirror/language";
import { linter } from "@codemirror/lint";
import { indentWithTab } from "@codemirror/commands";
import { keymap } from "@codemirror/view";

const constructs = /^(ALT|PRI|PAR|SEQ|IF|CASE|WHILE|FOR|STEP|FORK|FORKING|PLACED|PROCESSOR|SKIP|STOP|VALOF|RESULT|CLAIM|CLOSE|INITIAL|ELSE|AFTER|IS|OF|FROM|AT|CLOCK|BARRIER|SYNC|NEXT|RESUME|DROP|REGISTER)\b/;
const types = /^(INT|INT16|INT32|INT64|BYTE|BOOL|REAL32|REAL64|CHAN|TIMER|PROTOCOL|RECORD|DATA|TYPE|PROC|FUNCTION|VAL|MOBILE|SHARED|RECURSIVE|PORT|INLINE|REC|RETYPES|RESHAPES)\b/;
const operators = /^(AND|OR|NOT|PLUS|MINUS|TIMES|REM|SIZE|CLONE|DEFINED|TRUNC|ROUND|MOSTPOS|MOSTNEG|BITAND|BITOR|BITNOT|TRUE|FALSE)\b/;

const occam = StreamLanguage.define({
  name: "occam",
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^--.*/)) return "comment";
    if (stream.sol() ? stream.match(/^#[A-Z]+/) : stream.match(/^#[A-Z]+\b(?=\s+")/)) return "meta";
    if (stream.match(/^"(\*.|[^"*])*"?/) || stream.match(/^'(\*#..|\*.|[^'*])'/)) return "string";
    if (stream.match(/^#[0-9A-F]+|^\d+(\.\d+(E[+-]\d+)?)?/)) return "number";
    if (stream.match(constructs)) return "keyword";
    if (stream.match(types)) return "typeName";
    if (stream.match(operators)) return "operatorKeyword";
    if (stream.match(/^[A-Za-z][\w.]*/)) return "variableName";
    stream.next();
    return "operator";
  },
  languageData: { commentTokens: { line: "--" } },
});

// The place of a message of the compiler in the text.
function diagnostic(doc, message) {
  const at = (line, column) => {
    const found = doc.line(Math.max(1, Math.min(line, doc.lines)));
    return Math.min(found.from + column - 1, found.to);
  };
  const place = message.location;
  const from = at(place.line, place.column);
  const to = Math.max(from, at(place.endLine || place.line, place.endColumn || place.column));
  return { from, to, severity: message.severity === "error" ? "error" : "warning", message: message.message };
}

// makeEditor -- `check` takes a text, and gives the messages of the compiler (a promise).
window.makeEditor = (parent, check) => new EditorView({
  parent,
  extensions: [
    basicSetup,
    keymap.of([indentWithTab]),
    occam,
    indentUnit.of("  "),
    linter(async view => {
      const messages = await check(view.state.doc.toString());
      return messages.filter(one => one.location && one.location.file === "program.occ").map(one => diagnostic(view.state.doc, one));
    }, { delay: 500 }),
  ],
});
