import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startRunner } from "../../../src/storage/session/selectionRunner.ts";
import type { SelectionRunner } from "../../../src/engine/ports/selections.ts";

const soon = (): AbortSignal => AbortSignal.timeout(20_000);
const request = { language: "python", code: "x", path: "/w/a.py", line: 0, maxRows: 10 } as const;

describe("the process of selections", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "spark-k8s-runner-"));
  });
  after(async () => {
    await rm(folder, { recursive: true });
  });

  /** Returns a runner whose Python is a Node program that runs `body` for each request. */
  async function runnerOf(body: string): Promise<SelectionRunner> {
    const python = join(folder, `python-${Math.random()}`);
    const program = `#!${process.execPath}
process.on("SIGINT", () => say({ id: last, kind: "interrupted" }));
let last;
const say = (json) => process.stdout.write(JSON.stringify(json) + "\\n");
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const request = JSON.parse(line);
  last = request.id;
  ${body}
});
`;
    await writeFile(python, program);
    await chmod(python, 0o755);
    return startRunner({
      python,
      remote: "sc://127.0.0.1:1",
      folder,
      program: "run.py",
      environment: process.env,
    });
  }

  test("answers one request after the other, with the session in its environment", async () => {
    const runner = await runnerOf(
      'say({ id: request.id - 1, kind: "done", text: "old" });' +
        'say({ id: request.id, kind: "done", text: process.env.SPARK_REMOTE + request.id });',
    );
    for (const id of [1, 2]) {
      const answer = await runner.run(request, soon());
      assert.ok(answer.ok && answer.value.kind === "done");
      assert.equal(answer.value.text, `sc://127.0.0.1:1${id}`);
    }
    runner.dispose();
    assert.equal(runner.isAlive, false);
  });

  test("reads an answer in several parts, and several answers in one part", async () => {
    const runner = await runnerOf(
      'const text = JSON.stringify({ id: request.id, kind: "done", text: "whole" }) + "\\n";' +
        'say({ id: request.id - 1, kind: "done", text: "old" });' +
        "process.stdout.write(text.slice(0, 9));" +
        'setTimeout(() => process.stdout.write(text.slice(9) + "no JSON\\n"), 50);',
    );
    for (let id = 1; id <= 2; id += 1) {
      const answer = await runner.run(request, soon());
      assert.ok(answer.ok && answer.value.kind === "done" && answer.value.text === "whole");
    }
    runner.dispose();
  });

  test("refuses a second selection meanwhile, and any after its end", async () => {
    const runner = await runnerOf("");
    const first = runner.run(request, soon());
    assert.deepEqual(await runner.run(request, soon()), {
      ok: false,
      error: "another selection is running",
    });
    runner.dispose();
    assert.deepEqual(await first, { ok: false, error: "the session was disconnected" });
    const late = await runner.run(request, soon());
    assert.ok(!late.ok && late.error.endsWith('" has exited'));
  });

  test("is interrupted, and stays", async () => {
    const runner = await runnerOf("");
    const controller = new AbortController();
    const running = runner.run(request, controller.signal);
    setTimeout(() => {
      controller.abort();
    }, 500);
    const answer = await running;
    assert.ok(answer.ok && answer.value.kind === "interrupted");
    assert.ok(runner.isAlive);
    runner.dispose();
  });

  test("reports its end with the last line of its errors", async () => {
    const runner = await runnerOf('process.stderr.write("first\\nno memory\\n"); process.exit(3);');
    assert.deepEqual(await runner.run(request, soon()), {
      ok: false,
      error: "Python exited (3): no memory",
    });
    assert.equal(runner.isAlive, false);
  });

  test("reports its end if it reads no request", async () => {
    const python = join(folder, "deaf");
    await writeFile(python, "#!/bin/sh\nexec 0<&-\necho ready >&2\nsleep 1\nexit 4\n");
    await chmod(python, 0o755);
    const runner = startRunner({ python, remote: "", folder, program: "x", environment: {} });
    const big = { ...request, code: "x".repeat(1 << 20) };
    assert.deepEqual(await runner.run(big, soon()), {
      ok: false,
      error: "Python exited (4): ready",
    });
  });

  test("is ended when its answer has no end", async () => {
    const runner = await runnerOf(
      'setInterval(() => process.stdout.write("x".repeat(1 << 20)), 1);',
    );
    assert.deepEqual(await runner.run(request, soon()), {
      ok: false,
      error: "the result is too large",
    });
  });

  test("reports an interpreter that does not exist", async () => {
    const options = { python: join(folder, "none"), remote: "", folder, program: "x" };
    const runner = startRunner({ ...options, environment: process.env });
    const answer = await runner.run(request, soon());
    assert.ok(!answer.ok && /cannot be started: .*ENOENT/.test(answer.error));
  });
});
