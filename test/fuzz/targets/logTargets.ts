import assert from "node:assert/strict";
import { LogLineReader } from "../../../src/cluster/bytes/logLineReader.ts";
import { LineSplitter } from "../../../src/cluster/bytes/lineSplitter.ts";
import { Redactor } from "../../../src/cluster/redactor.ts";
import { levelOf } from "../../../src/spark/logs/logLevel.ts";
import type { LogLine } from "../../../src/spark/logs/logLine.ts";
import { outlineSteps } from "../../../src/spark/logs/logOutline.ts";
import { RecordReader } from "../../../src/spark/logs/logRecord.ts";
import { renderRecord, TraceCounts, wholeView } from "../../../src/spark/logs/logView.ts";
import { redactLine } from "../../../src/spark/redactLine.ts";
import { secretPairs } from "../../../src/spark/secretPairs.ts";
import { ParsedTimestamp } from "../../../src/spark/logs/stamps.ts";
import { terminalText } from "../../../src/spark/logs/terminalText.ts";
import { frameIn } from "../../../src/spark/logs/traceFrames.ts";
import { thrownBy } from "../../../src/spark/logs/traces.ts";
import { secretRule } from "../../../src/spark/redact.ts";
import { versionTraits } from "../../../src/spark/submit/conf/versionTraits.ts";
import { assertNoControls, assertSpansInside, chunksOf } from "../oracles.ts";
import type { FuzzTarget } from "../target.ts";
import { clockOfStamp } from "../../../src/base/timeOfDay.ts";

const isSecret = secretRule(undefined, versionTraits["4.3"].redactionPattern);

const log = [
  "2026-01-02T03:04:05.123456789Z 26/01/02 03:04:05 INFO SparkContext: Running Spark version 4.3.0",
  "2026-01-02T03:04:05.2Z 26/01/02 03:04:06 WARN TaskSetManager: Lost task 0.0 in stage 1.0 (TID 3)",
  "2026-01-02T03:04:05.3+02:00 26/01/02 03:04:06 ERROR Executor: Exception in task 0.0 in stage 1.0",
  "2026-01-02T03:04:05.3Z java.lang.RuntimeException: no space",
  "2026-01-02T03:04:05.3Z \tat org.example.Main$.main(Main.scala:12) ~[app.jar:1.0]",
  "2026-01-02T03:04:05.3Z Caused by: java.io.IOException: disk",
  "2026-01-02T03:04:05.3Z \t... 12 more",
  "2026-01-02T03:04:06Z Traceback (most recent call last):",
  '2026-01-02T03:04:06Z   File "/app/main.py", line 3, in <module>',
  "2026-01-02T03:04:06Z pyspark.errors.exceptions.AnalysisException: [TABLE] == SQL == select 1 ^^^",
  '2026-01-02T03:04:07Z {"ts":"2026","level":"ERROR","msg":"x","exception":{"class":"a"}}',
  "2026-01-02T03:04:07Z 26/01/02 03:04:06 INFO DAGScheduler: Submitting ResultStage 3 (MapPartitionsRDD)",
  "2026-01-02T03:04:08Z \u001b[31mred\u001b[0m \u001b]8;;http://x.test\u0007click\u001b]8;;\u0007",
  "== Physical Plan ==\n*(1) Project [a#1]\n+- FileScan parquet",
].join("\n");

const secrets = [
  "INFO Conf: spark.x.secret.key=abc, x=1 --password hunter2 -Dx.password=abc",
  '{"a":{"password": "hun\\"ter2"}, "m":"{\\"token\\":\\"a \\\\\\"b\\"}"} Authorization: Bearer abcdefghijkl',
  "[('spark.my.token', 'a b')] Map(token -> abc, user -> bob) GET https://me:pw@host/x?token=abc&user=bob",
  "jdbc:x://h/d;user=a;password=b,c;ssl=1 name: DB_PASSWORD, value: abc",
];

const words = [
  ...[
    "2026-01-02T03:04:05Z ",
    "INFO ",
    "ERROR ",
    "\tat ",
    "Caused by: ",
    "Traceback (most recent call last):\n",
  ],
  ...[
    '  File "',
    "\n",
    "\r",
    "\r\n",
    "\u001b[",
    "\u001b]",
    "\u0007",
    "\u001b\\",
    "m",
    "38;5;",
    "\u009b",
    "^",
    "== SQL ==\n",
  ],
  ...[
    "password",
    "token=",
    "secret: ",
    "Bearer ",
    "Authorization: ",
    '"',
    "'",
    "\\",
    '\\"',
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
  ],
  ...[
    "=",
    ":",
    "://",
    "@",
    ",",
    ";",
    "&",
    " -> ",
    "--",
    "-D",
    "spark.",
    "-----BEGIN PRIVATE KEY-----",
    "eyJ",
    ".",
    "\t",
  ],
];

const corpus = [log, ...secrets];

const viewWords = {
  late: "late",
  moreLines: (count: number, number: number) => `${count} more, ${number}`,
  clock: clockOfStamp,
  sameTrace: (first: number, times: number, number: number) => `${first} ${times} ${number}`,
};

function linesOf(chunks: readonly Buffer[]): readonly LogLine[] {
  const reader = new LogLineReader();
  const lines: LogLine[] = [];
  for (const chunk of chunks) {
    reader.push(chunk);
    while (reader.hasMore) lines.push(...reader.take());
  }
  const last = reader.end();
  return last === undefined ? lines : [...lines, last];
}

const lines: FuzzTarget = {
  name: "log-lines",
  form: "bytes",
  corpus: [Buffer.from(log).toString("latin1")],
  words,
  maxLength: 1_048_576,
  check: (text) => {
    const bytes = Buffer.from(text, "latin1");
    const plain = (some: readonly LogLine[]): readonly string[] =>
      some.map((line) => `${line.timestamp}|${line.text}`);
    assert.deepEqual(plain(linesOf(chunksOf(bytes))), plain(linesOf([bytes])));
    const splitter = new LineSplitter(50);
    for (const chunk of chunksOf(bytes)) {
      splitter.push(chunk, (line) => {
        assert.ok(line.length <= 50);
      });
    }
  },
};

const records: FuzzTarget = {
  name: "log-records",
  form: "text",
  corpus,
  words,
  maxLength: 262_144,
  check: (text) => {
    const read = linesOf([Buffer.from(text)]);
    const reader = new RecordReader();
    const found = [...reader.read(read), ...reader.flush()];
    const counts = new TraceCounts();
    const moment = new ParsedTimestamp();
    for (const [number, record] of found.entries()) {
      assertNoControls(record.timestamp);
      thrownBy(record);
      moment.read(record.timestamp);
      const shown = {
        number,
        source: "a",
        record,
        isLate: false,
        same: counts.count(number, record),
      };
      const choice = { ...wholeView, timestamps: true, folded: number % 2 === 0 };
      const rows = renderRecord(shown, { text: "exec-1", color: 36 }, choice, false, viewWords);
      // Remove the colors and line ends that the view itself adds.
      assertNoControls(rows.replace(/\u001b\[[\d;]*m|\r\n/g, ""));
    }
    assert.equal(
      found.reduce((sum, { rest }) => sum + 1 + rest.length, 0),
      read.length,
    );
    for (const { text: one } of read) {
      levelOf(one);
      frameIn(one);
    }
  },
};

const outline: FuzzTarget = {
  name: "log-outline",
  form: "text",
  corpus,
  words,
  maxLength: 262_144,
  check: (text) => {
    const all = text.split("\n");
    let folds: readonly { readonly start: number; readonly end: number }[] = [];
    for (const step of outlineSteps(all, new Set(["driver", "exec-1"]), (found) => {
      folds = found.folds;
    })) {
      assert.equal(step, undefined);
    }
    for (const { start, end } of folds) assert.ok(0 <= start && start <= end && end < all.length);
  },
};

const terminal: FuzzTarget = {
  name: "terminal-text",
  form: "text",
  corpus,
  words,
  maxLength: 1_048_576,
  check: (text) => {
    const safe = terminalText(text);
    assertNoControls(safe.replace(/\u001b\[[\d;]*m/g, ""));
    assert.equal(
      terminalText(safe).replace(/(?:\u001b\[0m)+$/, ""),
      safe.replace(/(?:\u001b\[0m)+$/, ""),
    );
  },
};

const redaction: FuzzTarget = {
  name: "redact-line",
  form: "text",
  corpus: secrets,
  words,
  maxLength: 1_048_576,
  check: (text) => {
    redactLine(text, isSecret);
    assertSpansInside(
      text,
      [...secretPairs(text, isSecret)].map(([start, end]) => ({ start, end })),
    );
  },
};

const redactor: FuzzTarget = {
  name: "cluster-redactor",
  form: "text",
  corpus: secrets,
  words,
  maxLength: 1_048_576,
  check: (text) => {
    const own = new Redactor();
    own.learn("the-token-of-mine");
    const clean = own.redact(`${text}the-token-of-mine`);
    assert.ok(!clean.includes("the-token-of-mine"));
    assert.ok(clean.length < 20_000, "of a long text the beginning");
  },
};

export const logTargets: readonly FuzzTarget[] = [
  lines,
  records,
  outline,
  terminal,
  redaction,
  redactor,
];
