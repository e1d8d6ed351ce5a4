import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { scanPythonImports } from "../../../../src/spark/submit/code/pythonImports.ts";
import { assertLinearInText } from "../../../linearTime.ts";

/** Returns the imports as `line level module: names`; the level is written as dots. */
const importsIn = (text: string): readonly string[] =>
  scanPythonImports(text).imports.map(
    ({ line, level, module, names }) =>
      `${line} ${".".repeat(level)}${module}${names.length === 0 ? "" : `: ${names.join(" ")}`}`,
  );

describe("imports of a Python source", () => {
  test("reads import statements with aliases", () => {
    assert.deepEqual(importsIn("import a.b, c as d\nimport e;import f\n"), [
      "1 a.b",
      "1 c",
      "2 e",
      "2 f",
    ]);
  });

  test("reads from-imports with parentheses, continuations and comments", () => {
    const text = `from a.b import c, d as e
from f import (  # one
    g as h,  # two import x
    i,
)
from j \\
    import k, \\
    l
from m import *
from .import n
from . . . o.p import q
from ... import r
from....s import(t)
`;
    assert.deepEqual(importsIn(text), [
      "1 a.b: c d",
      "2 f: g i",
      "6 j: k l",
      "9 m: *",
      "10 .: n",
      "11 ...o.p: q",
      "12 ...: r",
      "13 ....s: t",
    ]);
  });

  test("reads imports at any indentation and after a colon", () => {
    const text = `def f(a: int = {1: 2}[1]) -> None:
    import a
    try: import b
    except ImportError: from c import d
if TYPE_CHECKING:
\tfrom e import f
class G: import h; x = 1; import i
async def j():
  return [k async for k in l]; import m
`;
    assert.deepEqual(importsIn(text), ["2 a", "3 b", "4 c: d", "6 e: f", "7 h", "7 i", "9 m"]);
  });

  test("reads imports by a literal name", () => {
    const text = `a = importlib.import_module("b.c")
d = __import__('e')
import_module(
    r"""f""",  # x
)
import_module(".g", "h.i"); import_module("..j", package="h.i"); import_module(".k", __package__)
import_module(name); import_module(f"l{m}"); import_module("n" + o); import_module("p" "q")
import_module("not a name"); import_module("r\\x2es"); import_module(b"t"); import_module("..u", "h")
`;
    assert.deepEqual(importsIn(text), ["1 b.c", "2 e", "3 f", "6 h.i.g", "6 h.j", "6 .k"]);
  });

  test("finds nothing in strings and comments", () => {
    const text = `"""
import a
"""
'\\
import b'
# import c
x = "import d; from e import f" 'import g'; r'\\'; import_h = 1
f"{x!r:{'import i'}} {{import j}} {__import__('k')}"
f'''
import l
{d["m"]}
import n
'''
rb"\\"; BR'import o'
f"{d["import p"]}" ; f"{f"{f'import q'}"}"
y = (
  from_a, import_b
)
z.import_ = z.from_
def g(): yield from h
raise A from b
`;
    assert.deepEqual(importsIn(text), []);
  });

  test("continues after invalid and half-written code", () => {
    assert.deepEqual(importsIn("x = (1,\nimport a\ny = 'open\nimport b\n"), ["2 a", "4 b"]);
    assert.deepEqual(importsIn("from a import\nimport b\nfrom\nimport c.\nimport d"), [
      "2 b",
      "5 d",
    ]);
    assert.deepEqual(importsIn('f"{x\nimport a\n}}])\nfrom b import (\nimport c\n'), [
      "2 a",
      "5 c",
    ]);
    assert.deepEqual(importsIn('"""\nimport a'), []);
  });

  test("reads all line ends, a byte order mark and names beyond ASCII", () => {
    assert.deepEqual(importsIn("\ufeffimport a\r\nimport b\rimport c\n\fimport d"), [
      "1 a",
      "2 b",
      "3 c",
      "4 d",
    ]);
    assert.deepEqual(importsIn("import größe.ﬁ"), ["1 größe.fi"]);
  });

  test("reads the names that a package exports", () => {
    const text = `__all__ = ["a", 'b',  # c
   "d"]
__all__ += ("e",)
__all__: x = ["f"]
if g: __all__ = names
`;
    assert.deepEqual(scanPythonImports(text).exported, ["a", "b", "d", "e"]);
  });
});

const pieces = fc.constantFrom(
  ...["import ", "from ", "a", ".", "..", ", ", "as ", "(", ")", "[", "}", "{", "*", "\n", "\r\n"],
  ...[
    "\\\n",
    "\\",
    "'",
    '"',
    '"""',
    "'''",
    "f'",
    'rf"""',
    "b'",
    "#",
    ";",
    ":",
    " ",
    "\t",
    "é",
    "1",
  ],
  ...["__import__(", "import_module('a')", "__all__ = [", "\ufeff", "\u0000", "\ud800"],
);

describe("any text as a Python source", () => {
  test("gives spans inside the text", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        const lines = text.split(/\r\n|\r|\n/).length;
        for (const { span, line, names } of scanPythonImports(text).imports) {
          assert.ok(0 <= span.start && span.start < span.end && span.end <= text.length);
          assert.ok(1 <= line && line <= lines);
          assert.ok(names.every((name) => name !== ""));
        }
      }),
      { numRuns: 3_000 },
    );
  });

  test("finds the same imports with any strings and comments between them", () => {
    const content = fc
      .array(fc.constantFrom("import x", "from y import z", "{", "}", "(", "#", " ", "a:", ";"))
      .map((parts) => parts.join(""));
    const literals = fc.tuple(content, fc.nat(5)).map(([text, kind]) => {
      if (kind === 0) return `# ${text}`;
      if (kind === 1) return `"""\n${text}\n"""`;
      if (kind === 2) return `s = '${text}'`;
      if (kind === 3) return `s = rb"${text}"`;
      if (kind === 4) return `s = f'${text.replace(/[{}]/g, "$&$&")}'`;
      return `s = f"""{a["${text}"]}\n"""`;
    });
    fc.assert(
      fc.property(fc.array(literals, { maxLength: 8 }), (parts) => {
        const found = scanPythonImports(
          parts.map((part) => `${part}\nimport a\n`).join(""),
        ).imports;
        assert.deepEqual(
          found.map(({ module }) => module),
          parts.map(() => "a"),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test("takes time in proportion to the text", () => {
    const inputs = [
      'f"{',
      'f"""{',
      "f'''{\n",
      "import a,",
      "from . ",
      "(",
      '"',
      "'''",
      "import_module(",
    ];
    for (const piece of inputs) {
      assertLinearInText(piece, scanPythonImports);
    }
  });
});
