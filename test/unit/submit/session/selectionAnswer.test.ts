import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  csvText,
  decodeAnswer,
  markdownText,
  tabbedText,
  type ResultTable,
} from "../../../../src/spark/submit/session/selectionAnswer.ts";
import {
  clientPackage,
  remoteCode,
  sessionPort,
} from "../../../../src/spark/submit/session/sessionPort.ts";
import { sessionUsers } from "../../../../src/spark/submit/session/sessionUsers.ts";

const table: ResultTable = {
  columns: [
    { name: "id", type: "bigint" },
    { name: 'say "it"', type: "string" },
  ],
  rows: [
    ["1", null],
    ["2", "a,b\nc"],
    ["3", ""],
  ],
  more: false,
  hiddenColumns: 0,
};

describe("the answer to a selection", () => {
  test("is decoded with as many cells as columns", () => {
    const json = {
      id: 7,
      kind: "done",
      output: "x",
      table: { columns: [{ name: "a", type: "int" }, {}], rows: [["1"], 5], more: true },
    };
    assert.deepEqual(decodeAnswer(json, 7), {
      kind: "done",
      output: "x",
      text: undefined,
      table: {
        columns: [
          { name: "a", type: "int" },
          { name: "", type: "" },
        ],
        rows: [
          ["1", null],
          [null, null],
        ],
        more: true,
        hiddenColumns: 0,
      },
    });
  });

  test("is ignored if it is another request's or no answer", () => {
    assert.equal(decodeAnswer({ id: 6, kind: "done" }, 7), undefined);
    assert.equal(decodeAnswer({ id: 7, kind: "unknown" }, 7), undefined);
    assert.equal(decodeAnswer("text", 7), undefined);
  });

  test("is exported as CSV, where null differs from an empty text", () => {
    assert.equal(csvText(table), 'id,"say ""it"""\r\n1,\r\n2,"a,b\nc"\r\n3,""\r\n');
  });

  test("is none for a statement without a result", () => {
    const empty = { columns: [], rows: [], more: false, hiddenColumns: 0 };
    const answer = decodeAnswer({ id: 1, kind: "done", output: "", table: empty }, 1);
    assert.deepEqual(answer, { kind: "done", output: "", text: undefined, table: undefined });
  });

  test("is copied as a Markdown table without markup of its cells", () => {
    assert.equal(
      markdownText({
        ...table,
        columns: [table.columns[0] ?? { name: "", type: "" }, { name: "a|b", type: "string" }],
        rows: [
          ["1", null],
          ["2", "[x](command:y)\r\n<b>"],
        ],
      }),
      "| id | a\\|b |\n| --- | --- |\n| 1 |  |\n| 2 | \\[x\\](command\\:y) \\<b\\> |\n",
    );
  });

  test("is copied with one line for each row", () => {
    assert.equal(tabbedText(table), 'id\tsay "it"\n1\t\n2\ta,b c\n3\t');
  });
});

describe("a session's port", () => {
  test("comes from the label of its driver", () => {
    const portOf = (label: string) => sessionPort({ labels: { "spark-k8s/session": label } });
    assert.deepEqual(["15002", "0", "99999", "true"].map(portOf), [
      15002,
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(sessionPort({ labels: {} }), undefined);
  });

  test("is given to a notebook by its first cell", () => {
    assert.match(remoteCode("sc://127.0.0.1:5"), /^os\.environ\["SPARK_REMOTE"\] = "sc:.*"$/m);
  });

  test("needs the client of its version", () => {
    assert.equal(clientPackage("4.3.0"), "pyspark-client==4.3.0");
    assert.equal(clientPackage("3.5.9"), "pyspark[connect]==3.5.9");
    assert.equal(clientPackage('4" && x'), "pyspark-client");
    assert.equal(clientPackage(undefined), "pyspark-client");
  });
});

describe("the users of a session", () => {
  const job = (user: string, status: string) => ({
    status,
    jobTags: [
      "spark-session-1",
      `SparkConnect_OperationTag_User_${user}_Session_8fc03250-1758-4e93-a1af-586bbfb06b95_Operation_1`,
    ],
  });

  test("are those of its jobs", () => {
    const jobs = [job("bob", "SUCCEEDED"), job("ann_b", "RUNNING"), job("bob", "FAILED")];
    assert.deepEqual(sessionUsers(jobs), [
      { name: "ann_b", jobs: 1, isActive: true },
      { name: "bob", jobs: 2, isActive: false },
    ]);
  });

  test("are none if the answer is not a list of tagged jobs", () => {
    assert.deepEqual(sessionUsers([{ jobTags: ["x"] }, 5, { status: "RUNNING" }]), []);
    assert.deepEqual(sessionUsers({}), []);
  });
});
