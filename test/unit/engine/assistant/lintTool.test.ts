import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ok } from "../../../../src/base/result.ts";
import type { AssistantHost } from "../../../../src/engine/assistant/assistantTool.ts";
import { lintTool } from "../../../../src/engine/assistant/lintTool.ts";

// The lint tool uses no function of the host.
const host = {} as AssistantHost;
const never = new AbortController().signal;
const surface = "properties";

const lint = (given: Readonly<Record<string, unknown>>, signal = never) =>
  lintTool.call(host, given, signal);

async function refusalOf(given: Readonly<Record<string, unknown>>): Promise<string> {
  const result = await lint(given);
  assert.ok(!result.ok && result.error !== "later");
  return result.error.text;
}

describe("the tool that checks a text", () => {
  test("returns each finding with its line, for each kind of line break", async () => {
    const unknown = "spark.excutor.memory 1g";
    for (const [text, line] of [
      [unknown, 1],
      [`# a\n${unknown}`, 2],
      [`# a\r\n# b\r\n${unknown}`, 3],
      [`# a\r# b\r# c\r${unknown}`, 4],
    ] as const) {
      assert.deepEqual(await lint({ text, surface }), {
        ok: true,
        value: {
          sparkVersion: "4.3",
          findings: [
            {
              ...{ line, severity: "warning", code: "unknown-key" },
              message:
                'Spark 4.3 does not know "spark.excutor.memory". Did you mean "spark.executor.memory"?',
            },
          ],
        },
      });
    }
  });

  test("checks for the given version", async () => {
    const given = { text: "spark.app.name etl", surface, sparkVersion: "3.5.1" };
    assert.deepEqual(await lint(given), ok({ sparkVersion: "3.5", findings: [] }));
    assert.equal(
      await refusalOf({ ...given, sparkVersion: "2.4" }),
      '"sparkVersion" must be one of 3.3, 3.4, 3.5, 4.0, 4.1, 4.2, 4.3.',
    );
  });

  test("needs a known kind of text", async () => {
    for (const unknown of ["json", undefined, 7])
      assert.equal(
        await refusalOf({ text: "", surface: unknown }),
        '"surface" must be one of properties, manifest, command, python, scala, java, profiles.',
      );
    const manifest = await lint({ text: "spark.excutor.memory 1g", surface: "python" });
    assert.deepEqual(manifest, ok({ sparkVersion: "4.3", findings: [] }));
  });

  test("takes at most 500,000 characters", async () => {
    const atLimit = "#".repeat(500_000);
    assert.deepEqual(
      await lint({ text: atLimit, surface }),
      ok({ sparkVersion: "4.3", findings: [] }),
    );
    assert.equal(
      await refusalOf({ text: `${atLimit}#`, surface }),
      '"text" is longer than 500000 characters.',
    );
  });

  test("treats a text that is no string as empty", async () => {
    assert.deepEqual(await lint({ text: 5, surface }), ok({ sparkVersion: "4.3", findings: [] }));
  });

  test("rejects after an abort", async () => {
    await assert.rejects(lint({ text: "spark.a b", surface }, AbortSignal.abort()), {
      name: "AbortError",
    });
  });
});
