import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { dialectOf } from "../../../../src/spark/submit/pasted/dialect.ts";
import { readCommands } from "../../../../src/spark/submit/pasted/readCommands.ts";
import type { WordPart } from "../../../../src/spark/submit/pasted/shellWord.ts";

/** Returns a variable as `{NAME}`, with `=` and its default, and `"` if it is quoted; a rejected part as `!text!`. */
const partText = (part: WordPart): string => {
  switch (part.kind) {
    case "text":
      return part.text;
    case "variable":
      return `{${part.name}${part.fallback === undefined ? "" : `=${part.fallback}`}${part.isQuoted ? '"' : ""}}`;
    case "refused":
      return `!${part.text}!`;
  }
};

const commandsOf = (text: string): readonly (readonly string[])[] =>
  readCommands(text, dialectOf(text)).commands.map((command) =>
    command.map(({ parts }) => parts.map(partText).join("")),
  );

const findingsOf = (text: string): readonly string[] =>
  readCommands(text, dialectOf(text)).findings.map(
    ({ code, span }) => `${code} at ${JSON.stringify(text.slice(span.start, span.end))}`,
  );

/** Checks the words of one command that has no findings. */
const check = (text: string, ...words: readonly string[]): void => {
  assert.deepEqual(commandsOf(text), words.length === 0 ? [] : [words], text);
  assert.deepEqual(findingsOf(text), [], text);
};

describe("the words of a POSIX shell", () => {
  test("end at blanks outside quotes", () => {
    check("");
    check("  ");
    check("a  b\tc ", "a", "b", "c");
    check("a'b c'\"d e\"f", "ab cd ef");
    check("'' \"\"", "", "");
    check("a\\ b \\\\ \\'", "a b", "\\", "'");
    check('"a\\"b\\$\\`\\\\\\n"', 'a"b$`\\\\n');
    check("'a\\b$c'", "a\\b$c");
    check('a""b', "ab");
    check("a\\", "a");
    check("''''", "");
  });

  test("are separate commands after an operator or at a line end", () => {
    for (const text of ["a;b", "a && b", "a|b", "a\nb", "(a)(b)", "a &b;", "a\n\n#x\nb"])
      assert.deepEqual(commandsOf(text), [["a"], ["b"]], text);
  });

  test("continue on the next line after a backslash", () => {
    check("a \\\nb", "a", "b");
    check("a\\\nb", "ab");
    check("a\\\n b", "a", "b");
    check("a \\\n", "a");
    check('"a\\\nb"', "ab");
    assert.deepEqual(findingsOf("a \\ \nb"), ['L-08 at "\\\\ "']);
  });

  test("have no prompt and no comment", () => {
    check("$ a", "a");
    check("% a", "a");
    check("me@host:~$ a", "a");
    check("[me@host dir]# a", "a");
    check("$a", "{a}");
    check("a #b", "a");
    check("a#b", "a#b");
    check("# a\nb", "b");
    check("$ a \\\n> b", "a", "b");
    check("a@b c", "a@b", "c");
  });
});

describe("the variables of a POSIX shell", () => {
  test("have a name, and a fallback in braces", () => {
    check("$a_1-b ${A}b", "{a_1}-b", "{A}b");
    check("${A:-x y} ${A-x} ${A:=x} ${A=x} ${A:-}", "{A=x y}", "{A=x}", "{A=x}", "{A=x}", "{A=}");
    check("${A:?needed} ${A?}", "{A}", "{A}");
    check("$1 $@ $* $# $? ${1} ${@}", "{1}", "{@}", "{*}", "{#}", "{?}", "{1}", "{@}");
    check("\"$A\" '$A'", '{A"}', "$A");
    check("$ $- $", "$-", "$");
    check("a$", "a$");
    check("~ ~/x a~ ~b", '{HOME"}', '{HOME"}/x', "a~", "~b");
    check("$env:HOME ${env:HOME} $Env:A-b", "{HOME}", "{HOME}", "{A}-b");
    check("$environment:a", "{environment}:a");
  });

  test("may be placeholders of a manual", () => {
    check("<host> a<b c>d", "{<host>}", "a{<b c>}d");
    check('"<host>"', '{<host>=<host>"}');
    check("'<a-b.c:d/e>'", '{<a-b.c:d/e>=<a-b.c:d/e>"}');
    assert.deepEqual(commandsOf("a <1> b c"), [["a", "c"]]);
    assert.deepEqual(commandsOf("a <b > c d"), [["a", "d"]]);
    const atLimit = `<${"a".repeat(78)}>`;
    check(atLimit, `{${atLimit}}`);
    assert.notDeepEqual(commandsOf(`<${"a".repeat(79)}>`), [[`{<${"a".repeat(79)}>}`]]);
  });

  test("are refused if a shell must compute them", () => {
    const refused = (text: string, code: string, rest = "") => {
      assert.deepEqual(commandsOf(`${text}${rest}`), [[`!${text}!${rest}`]]);
      assert.deepEqual(findingsOf(`${text}${rest}`), [`${code} at ${JSON.stringify(text)}`]);
    };
    const [substitution, expansion] = ["L-04", "L-05"];
    refused("$(a b)", substitution, "c");
    refused("$(a $(b) c)", substitution, "d");
    refused("`a \\` b`", substitution, "c");
    refused("`a b", substitution);
    refused("$(a (b)", substitution);
    refused("${A%b}", expansion, "c");
    refused("${A:-${B}}", expansion, "c");
    refused("${A:-$B}", expansion);
    refused("${#A}", expansion);
    refused("${A b-", expansion);
  });
});

describe("the redirections of a command", () => {
  test("are left out with their files", () => {
    for (const [text, words, left] of [
      ["a > b c", ["a", "c"], "> b"],
      ["a 2>&1 c", ["a", "c"], "2>&1"],
      ["a >>'b c' d", ["a", "d"], ">>'b c'"],
      ["a < b", ["a"], "< b"],
      ["a 12> b", ["a"], "12> b"],
      ["a x2> b", ["a", "x2"], "> b"],
    ] as const) {
      assert.deepEqual(commandsOf(text), [words], text);
      assert.deepEqual(
        findingsOf(text).map((one) => one.replace(/^L-\d+/, "L")),
        [`L at ${JSON.stringify(left)}`],
      );
    }
    check("a >", "a");
    assert.deepEqual(commandsOf("a >; b"), [["a"], ["b"]]);
  });
});

describe("the words of Windows shells", () => {
  test("of the command prompt have percent variables and no escape", () => {
    const prefix = "spark-submit.cmd ";
    const own = (text: string, ...words: readonly string[]) => {
      check(`${prefix}${text}`, "spark-submit.cmd", ...words);
    };
    own("%A%b %A 50%", "{A}b", "%A", "50%");
    own("$A ${B}", "$A", "${B}");
    own("'a b'", "'a", "b'");
    own('"a""b" "c\\"d" e\\f', 'a"b', 'c"d', "e\\f");
    own('"%A%"', '{A"}');
    own("a ^\r\nb", "a", "b");
    own("`a`", "`a`");
    own("%%", "%%");
    check("C:\\spark\\bin\\x.cmd a", "C:\\spark\\bin\\x.cmd", "a");
    check("C:\\x>spark-submit.cmd a", "spark-submit.cmd", "a");
  });

  test("of PowerShell have a backquote as escape", () => {
    check('PS C:\\> a `"b "c`"d""e"', "a", '"b', 'c"d"e');
    check("a `\n  b 'c''d' $env:E", "a", "b", "c'd", "{E}");
    check("PS C:\\> a \\b", "a", "\\b");
  });

  test("are detected by their marks", () => {
    const shellOf = (text: string) => dialectOf(text).continuation;
    const shells = [
      "a `\nb",
      "PS C:\\x> a",
      "a ^ \nb",
      "SPARK-SUBMIT2.CMD a",
      '"C:\\a" b',
      "\tD:\\a",
    ];
    assert.deepEqual(shells.map(shellOf), ["`", "`", "^", "^", "^", "^"]);
    for (const text of ["a", "a `b`", "a ^b", "spark-submit.cmdx", "a C:\\b", "xPS a> b"])
      assert.equal(shellOf(text), "\\", text);
  });
});

describe("a text from a word processor", () => {
  test("has plain quotes, dashes and blanks", () => {
    const typography = (text: string, ...words: readonly string[]) => {
      assert.deepEqual(commandsOf(text), [words], text);
      assert.equal(findingsOf(text).length, 1, text);
    };
    typography("a \u201cb c\u201d", "a", "b c");
    typography('a \u201cb c"', "a", "b c");
    typography("a \u2018b c\u2019", "a", "b c");
    typography("a\u00a0b", "a", "b");
    typography("a \u2014name x", "a", "--name", "x");
    typography("a \u2013\u2013name x", "a", "--name", "x");
    typography("a \u2013c x", "a", "-c", "x");
    typography("a --deploy\u2010mode b\u2010c", "a", "--deploy-mode", "b\u2010c");
    typography("a --x\u2010y=b\u2010c", "a", "--x-y=b\u2010c");
    check("a \u2013 b", "a", "\u2013", "b");
    check("a -1 - --", "a", "-1", "-", "--");
  });
});
