import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fillPasted } from "../../../../src/spark/submit/pasted/fillPasted.ts";
import type {
  PastedFix,
  PastedFinding,
} from "../../../../src/spark/submit/pasted/pastedFinding.ts";
import {
  parsePastedCommand,
  type PastedCommand,
} from "../../../../src/spark/submit/pasted/parsePastedCommand.ts";
import { inEnglish } from "../../../../src/base/message.ts";
import { checkTranslated } from "../../../pseudoLanguage.ts";
import { assertLinearInText } from "../../../linearTime.ts";

/** Returns the tokens with the given values; other placeholders get the suggested ones. */
const tokensOf = (text: string, values: Readonly<Record<string, string>> = {}): readonly string[] =>
  fillPasted(parsePastedCommand(text), suggested(parsePastedCommand(text), values)).tokens;

const suggested = (
  { variables }: PastedCommand,
  values: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> =>
  new Map(
    variables.map(({ name, suggestion }) => [name, values[name] ?? suggestion ?? `[${name}]`]),
  );

const codesOf = (text: string): readonly string[] =>
  parsePastedCommand(text)
    .findings.map(({ code }) => code)
    .filter((code) => code !== "L-13");

const findingOf = (text: string, code: PastedFinding["code"]): PastedFinding => {
  const finding = parsePastedCommand(text).findings.find((each) => each.code === code);
  assert.ok(finding, `${code} is found`);
  for (const one of [finding.problem, finding.advice, finding.fix?.title]) checkTranslated(one);
  return finding;
};

const fixed = (text: string, code: PastedFinding["code"]): string =>
  applyFix(text, findingOf(text, code).fix);

const applyFix = (text: string, fix: PastedFix | undefined): string =>
  (fix?.edits ?? []).reduceRight(
    (edited, { span, text: put }) => edited.slice(0, span.start) + put + edited.slice(span.end),
    text,
  );

const rows: readonly (readonly [name: string, text: string, tokens: readonly string[]])[] = [
  ["a plain command", "spark-submit --name a x.jar 1", ["--name", "a", "x.jar", "1"]],
  ["quotes", `spark-submit 'a b' "c d" e\\ f ""`, ["a b", "c d", "e f", ""]],
  ["escapes in quotes", `spark-submit "a\\"b\\\\c\\d" 'e\\f'`, ['a"b\\c\\d', "e\\f"]],
  ["glued quotes", `spark-submit --conf a="b c"'d'`, ["--conf", "a=b cd"]],
  ["continued lines", "spark-submit \\\n  --name a \\\r\n  x.jar", ["--name", "a", "x.jar"]],
  ["a word over two lines", "spark-submit --na\\\nme a x.jar", ["--name", "a", "x.jar"]],
  ["a blank behind the backslash", "spark-submit \\ \n x.jar", ["x.jar"]],
  ["a comment behind the backslash", "spark-submit \\ # the jar\n x.jar", ["x.jar"]],
  ["a comment line in between", "spark-submit \\\n # why\n x.jar", ["x.jar"]],
  ["a comment at the end", "spark-submit x.jar # it's here", ["x.jar"]],
  ["a hash within a word", "spark-submit a#b", ["a#b"]],
  [
    "a missing backslash",
    "spark-submit --name a\n  --class C x.jar",
    ["--name", "a", "--class", "C", "x.jar"],
  ],
  ["a prompt", "$ spark-submit \\\n> x.jar", ["x.jar"]],
  ["a prompt with a host", "me@host:~/dir$ spark-submit x.jar", ["x.jar"]],
  ["a full path", "/opt/spark/bin/spark-submit x.jar", ["x.jar"]],
  ["a path with a variable", "${SPARK_HOME}/bin/spark-submit x.jar", ["x.jar"]],
  [
    "a container around it",
    "docker run --rm -it spark:4.2.1 /opt/spark/bin/spark-submit x.jar",
    ["x.jar"],
  ],
  ["other commands around it", "cd /x && spark-submit x.jar | tee log; echo done", ["x.jar"]],
  [
    "the command prompt",
    'C:\\spark\\bin\\spark-submit.cmd ^\r\n --name "a b" ^\r\n C:\\x.jar',
    ["--name", "a b", "C:\\x.jar"],
  ],
  [
    "PowerShell",
    'PS C:\\> spark-submit `\n  --conf "a=`"b`"" `\n x.jar',
    ["--conf", 'a="b"', "x.jar"],
  ],
  [
    "curly quotes and long dashes",
    "spark-submit –conf “a=b c” —name ‘n’ x.jar",
    ["--conf", "a=b c", "--name", "n", "x.jar"],
  ],
  ["a short option with a long dash", "spark-submit –c a=b x.jar", ["-c", "a=b", "x.jar"]],
  [
    "dashes within an option",
    "spark-submit --executor–memory 1g x–y.jar",
    ["--executor-memory", "1g", "x–y.jar"],
  ],
  ["blanks that do not break", "spark-submit\u00a0x.jar", ["x.jar"]],
  [
    "entities of a web page",
    "spark-submit --conf &quot;a=b c&quot; x.jar &amp;&amp; echo",
    ["--conf", "a=b c", "x.jar"],
  ],
  ["no command, only options", "--name a x.jar", ["--name", "a", "x.jar"]],
  ["a typographic quote within plain ones", 'spark-submit "it’s “x”"', ["it’s “x”"]],
  ["a lone backslash at the end", "spark-submit x.jar \\", ["x.jar"]],
  ["redirections", "spark-submit x.jar > out.log 2>&1 &", ["x.jar"]],
];
for (const [name, text, tokens] of rows) {
  test(`tokens of ${name}`, () => {
    assert.deepEqual(tokensOf(text), tokens);
  });
}

test("gives the span of each word as written", () => {
  const text = '$ spark-submit --name "a b" \\\n  x.jar';
  const { tokens, span } = parsePastedCommand(text);
  assert.deepEqual(
    tokens.map((token) => text.slice(token.span.start, token.span.end)),
    ["--name", '"a b"', "x.jar"],
  );
  assert.equal(text.slice(span?.start, span?.end), text.slice(2));
});

test("lists each variable once with its suggestion", () => {
  const text =
    'APP=$HOME/x.jar\nexport IMAGE="spark:4.2.1" \nspark-submit --conf i=$IMAGE --name ${NAME:-pi} ' +
    '$APP "$IMAGE" "$1"';
  const { variables } = parsePastedCommand(text);
  assert.deepEqual(
    variables.map(({ name, suggestion, uses }) => [name, suggestion, uses.length]),
    [
      ["IMAGE", "spark:4.2.1", 2],
      ["NAME", "pi", 1],
      ["APP", undefined, 1],
      ["1", undefined, 1],
    ],
  );
});

test("reads a tilde at the start of a path as the home directory", () => {
  const text = "~/spark/bin/spark-submit --jars ~/a.jar --name a~b ~ ~user/x.jar";
  const { variables } = parsePastedCommand(text);
  assert.deepEqual(
    variables.map(({ name, uses }) => [name, uses.length]),
    [["HOME", 2]],
  );
  assert.deepEqual(tokensOf(text, { HOME: "/home/a b" }), [
    ...["--jars", "/home/a b/a.jar", "--name", "a~b", "/home/a b", "~user/x.jar"],
  ]);
});

test("reads placeholders as variables", () => {
  const text = "spark-submit --master k8s://https://<host>:<port> local:///x.jar";
  assert.deepEqual(tokensOf(text, { "<host>": "h", "<port>": "6443" }), [
    "--master",
    "k8s://https://h:6443",
    "local:///x.jar",
  ]);
});

test("splits a value at whitespace only outside quotes", () => {
  const values = { OPTS: " --name a  --class C ", NONE: "" };
  assert.deepEqual(tokensOf('spark-submit $OPTS "$OPTS" $NONE "$NONE" x$OPTS', values), [
    "--name",
    "a",
    "--class",
    "C",
    " --name a  --class C ",
    "",
    "x",
    "--name",
    "a",
    "--class",
    "C",
  ]);
});

test("reads assignments before the command as its environment", () => {
  const pasted = parsePastedCommand("SPARK_USER=me HADOOP_CONF_DIR='/a b' spark-submit x.jar");
  assert.deepEqual(fillPasted(pasted, new Map()).environment, {
    SPARK_USER: "me",
    HADOOP_CONF_DIR: "/a b",
  });
});

test("reads a variable in single quotes as text", () => {
  assert.deepEqual(parsePastedCommand("spark-submit '$A' \\$B").variables, []);
});

test("rejects a command substitution", () => {
  for (const written of ["$(date +%s)", "`date`", "$((1 + 2))"]) {
    const text = `spark-submit --name a-${written} x.jar`;
    const { span, severity, problem } = findingOf(text, "L-04");
    assert.equal(severity, "error");
    assert.equal(text.slice(span.start, span.end), written);
    assert.ok(inEnglish(problem).includes(written));
  }
  assert.deepEqual(codesOf("spark-submit ${A%.jar}"), ["L-05"]);
});

test("reports ignored words around the submission", () => {
  assert.deepEqual(codesOf("sudo -u spark spark-submit x.jar"), ["L-03"]);
  assert.deepEqual(codesOf("spark-submit x.jar > log"), ["L-03"]);
  assert.deepEqual(codesOf("spark-submit a.jar\nspark-submit b.jar"), ["L-02"]);
});

test("reports a missing and a quoted command", () => {
  assert.deepEqual(codesOf("kubectl get pods"), ["L-01"]);
  assert.deepEqual(codesOf(""), ["L-01"]);
  assert.deepEqual(codesOf('bash -c "spark-submit x.jar"'), ["L-12"]);
  assert.deepEqual(codesOf("docker run --entrypoint spark-submit img x.jar"), ["L-11"]);
  assert.deepEqual(codesOf("spark-submit 'x.jar"), ["L-06"]);
});

test("resolves each finding by its fix", () => {
  const texts: readonly (readonly [string, PastedFinding["code"]])[] = [
    ["spark-submit –conf “a=b” x.jar", "L-07"],
    ["spark-submit --conf &quot;a=b&quot; x.jar", "L-07"],
    ["spark-submit \\ \n x.jar", "L-08"],
    ["spark-submit \\ # why\n x.jar", "L-08"],
    ["spark-submit\n --name a x.jar", "L-09"],
    ["spark-submit \\\n # why\n x.jar", "L-10"],
    ["spark-submit x.jar", "L-13"],
    ["--name a x.jar", "L-13"],
    ["spark-submit --deploy-mode client x.jar", "L-14"],
    ["spark-submit --deploy-mode=client x.jar", "L-14"],
    ["spark-submit --conf spark.submit.deployMode=client x.jar", "L-14"],
    ["spark-submit --conf=spark.submit.deployMode=client x.jar", "L-14"],
  ];
  for (const [text, code] of texts) {
    const mended = fixed(text, code);
    const { findings } = parsePastedCommand(mended);
    assert.ok(!findings.some((finding) => finding.code === code), `${text} -> ${mended}`);
    if (code !== "L-13" && code !== "L-14") assert.deepEqual(tokensOf(mended), tokensOf(text));
  }
});

test("reports no deploy mode for cluster mode, unknown modes and other actions", () => {
  for (const text of [
    "spark-submit --deploy-mode cluster x.jar",
    "spark-submit --deploy-mode $MODE x.jar",
    "spark-submit --kill a:b --master k8s://h",
    "spark-submit --conf spark.submit.deployMode=cluster x.jar",
  ]) {
    assert.deepEqual(parsePastedCommand(text).findings, [], text);
  }
});

const pieces = fc.constantFrom(
  ..."spark-submit|--conf|a=b|--deploy-mode|client|\\|\n|\r\n| |  |'|\"|“|”|‘|’|–|—|$|${|}|$(|)|`|^|#|>|<|<h>|&|&quot;|;|~|%A%|$A|\t|\u00a0|x.jar|$ |PS C:\\> ".split(
    "|",
  ),
);
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join("")),
);

test("gives ordered spans inside the text for any text", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { tokens, findings, variables, span } = parsePastedCommand(text);
      const spans = [
        ...tokens.map((token) => token.span),
        ...findings.flatMap((finding) => [
          finding.span,
          ...(finding.fix?.edits.map((edit) => edit.span) ?? []),
        ]),
        ...variables.flatMap(({ uses }) => uses),
        ...(span ? [span] : []),
      ];
      for (const { start, end } of spans)
        assert.ok(0 <= start && start <= end && end <= text.length);
      const starts = tokens.map((token) => token.span.start);
      assert.deepEqual(
        starts,
        starts.toSorted((a, b) => a - b),
      );
    }),
    { numRuns: 2000 },
  );
});

test("reads shell-quoted tokens back", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), (tokens) => {
      // Newline forms are not distinguished, and placeholders would become variables.
      const clean = tokens.map((token) => token.replaceAll(/[\r<&]/g, ""));
      const text = clean.map((token) => `'${token.replaceAll("'", "'\\''")}'`).join(" ");
      assert.deepEqual(tokensOf(`spark-submit ${text}`), clean);
    }),
  );
});

test("takes linear time", () => {
  for (const piece of [
    "'",
    "${",
    "$(",
    "`",
    "<a",
    "-–",
    "\\\n",
    "%a",
    "&quot;",
    "a=",
    "~/ ",
    "C:\\",
  ]) {
    assertLinearInText(piece, (text) => parsePastedCommand(`spark-submit ${text}`));
  }
});

test("reports variables that would affect the sign-in", () => {
  const line = "PATH=/tmp/evil:$PATH KUBECONFIG=/tmp/k AWS_PROFILE=x A=1 spark-submit --version";
  const found = parsePastedCommand(line).findings.map(
    ({ code, span }) => `${code} ${line.slice(span.start, span.end)}`,
  );
  assert.deepEqual(found, [
    "L-16 PATH=/tmp/evil:$PATH",
    "L-15 KUBECONFIG=/tmp/k",
    "L-16 AWS_PROFILE=x",
  ]);
});
