import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { errorSentence } from "../../../src/engine/errorSentence.ts";
import { redaction } from "../../../src/spark/redact.ts";

describe("a server's message as a sentence", () => {
  const rows: readonly (readonly [message: string, expected: string])[] = [
    ["", ""],
    ["the server is busy", "The server is busy."],
    ["Try again!", "Try again!"],
    [
      'pods is forbidden: User "ada" cannot list resource "pods"',
      'User "ada" cannot list resource "pods".',
    ],
    ['sparkapplications.spark.apache.org "a.b" is forbidden: not allowed', "Not allowed."],
    ['pods "a" is forbidden', 'Pods "a" is forbidden.'],
    ['pods "a" is forbidden: ', ""],
    ["sign in: password=hunter2", `Sign in: password=${redaction}.`],
  ];
  for (const [message, expected] of rows) {
    test(message === "" ? "no message" : message, () => {
      assert.equal(errorSentence(message), expected);
    });
  }
});
