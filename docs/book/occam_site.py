"""What mkdocs needs to know of occam: how its programs are coloured, and what else stands behind ``` in our texts."""

import os
import re
import sys

from pygments import lexers, token
from pygments.lexer import RegexLexer, words

__all__ = ["OccamLexer"]


def keywords():
    """Those of the compiler itself."""
    with open(os.path.join(os.environ["OCC_DOCS"], "..", "frontend", "token", "token.def"), encoding="utf-8") as table:
        return re.findall(r'^(?:KEYWORD|CONTEXTUAL)\(\w+, "([A-Z.]+)"', table.read(), re.M)


class OccamLexer(RegexLexer):
    name = "occam"
    aliases = ["occam"]
    filenames = ["*.occ"]
    tokens = {
        "root": [
            (r"--.*", token.Comment.Single),
            (r"^\s*#[A-Z]+.*", token.Comment.Preproc),
            (r'"(?:\*.|[^"*\n])*"', token.String),
            (r"'(?:\*#?\w+|\*.|[^'*\n])'", token.String.Char),
            (r"(?:BYTE|BOOL|U?INT(?:16|32|64)?|REAL(?:32|64)|CHAN|TIMER|CLOCK|MUTEX|PORT|BARRIER)\b(?!\.)", token.Keyword.Type),
            (words(keywords(), prefix=r"(?<![\w.])", suffix=r"(?![\w.])"), token.Keyword),
            (r"#[0-9A-F]+|\d+(?:\.\d+(?:E[+-]\d+)?)?", token.Number),
            (r"[A-Za-z][\w.]*", token.Name),
            (r"[!?:=<>&+\-*/\\~;,|]+|[()\[\]]", token.Operator),
            (r"\s+", token.Text),
        ]
    }


sys.path.append(os.path.dirname(__file__))  # Pygments imports the lexer by the name of its module
lexers.LEXERS["OccamLexer"] = ("occam_site", "occam", ("occam",), ("*.occ",), ())


def on_page_markdown(markdown, **_):
    """Words behind the language of a block are for our tests."""
    return re.sub(r"^```(\w+) [^\n]*$", r"```\1", markdown, flags=re.M)
