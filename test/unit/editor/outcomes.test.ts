import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { err, ok } from "../../../src/base/result.ts";
import { outcomeWords, rowWords } from "../../../src/editor/profiles/outcomeWords.ts";
import { answerPage, runningPage } from "../../../src/editor/session/resultWords.ts";
import { programOfSource, withBuiltJar } from "../../../src/editor/submit/builtProgram.ts";
import {
  operatorFailureWords,
  operatorRefusalWords,
  otherVersionWords,
} from "../../../src/editor/submit/manifestWords.ts";
import { lazyShownLogs, type ShownLogs } from "../../../src/editor/logs/shownLogs.ts";
import type { OperatorFailure } from "../../../src/engine/lifecycle/operatorRequests.ts";
import type { JvmPrograms } from "../../../src/engine/ports/files.ts";
import { settle } from "../engine/virtualClock.ts";
import { scriptedScreen } from "./screenFixture.ts";
import { missing } from "./sessionFixture.ts";

describe("words of an outcome", () => {
  test("name the exit code of a failure only", () => {
    const words = (["submitted", "succeeded", "stopped", "detached", "notSubmitted"] as const).map(
      (outcome) => inEnglish(outcomeWords(outcome, 3)),
    );
    assert.deepEqual(words, [
      ...["submitted", "succeeded", "stopped", "detached; still running", "not submitted"],
    ]);
    assert.equal(inEnglish(outcomeWords("failed", 3)), "failed: exit code 3");
  });

  test("in a row begin with the cause of a failure", () => {
    assert.equal(inEnglish(rowWords("failed", 3, "no space left")), "no space left");
    assert.equal(inEnglish(rowWords("failed", 3, "x".repeat(120))), "x".repeat(100));
    assert.equal(inEnglish(rowWords("failed", 3, "")), "exit code 3");
    assert.equal(inEnglish(rowWords("failed", undefined, undefined)), "exit code 1");
    assert.equal(inEnglish(rowWords("succeeded", 0, "no space left")), "succeeded");
    assert.equal(inEnglish(rowWords("notSubmitted", 1, "canceled")), "canceled");
    assert.equal(inEnglish(rowWords("notSubmitted", 1, undefined)), "not submitted");
  });
});

describe("page of a selection", () => {
  const hints = { output: "a token=secret1\nb" };

  test("redacts printed texts, and counts the rows", () => {
    const table = { columns: [], rows: [["1"]], more: false, hiddenColumns: 0 };
    const page = answerPage(
      { kind: "done", ...hints, table, text: "password=x" } as never,
      "pi",
      1_234,
      inEnglish,
    );
    assert.deepEqual(page.notes, ["1.2 s", "pi"]);
    assert.equal(page.output, "a token=*********(redacted)\nb");
    assert.equal(page.text?.includes("password=x"), false);
    assert.deepEqual([page.summary, page.isRunning, page.table], ["1 row", false, table]);
    const rows = { ...table, rows: [["1"], ["2"]], hiddenColumns: 4 };
    const more = (given: object) =>
      answerPage({ kind: "done", ...hints, table: given } as never, "pi", 1_000, inEnglish);
    assert.equal(more(rows).summary, "2 rows");
    assert.deepEqual(more(rows).notes, ["4 more columns are not shown", "1.0 s", "pi"]);
    assert.equal(more({ ...rows, more: true }).summary, "First 2 rows");
    const silent = answerPage({ kind: "done", ...hints } as never, "pi", 0, inEnglish);
    assert.deepEqual([silent.summary, silent.text, silent.table], ["Done", undefined, undefined]);
  });

  test("shows failures, cancellations and running code", () => {
    const failed = answerPage(
      { kind: "failed", ...hints, text: "token=secret2" },
      ...(["pi", 0, inEnglish] as const),
    );
    assert.deepEqual([failed.summary, failed.error], ["Failed", "token=*********(redacted)"]);
    const canceled = answerPage({ kind: "interrupted", ...hints }, "pi", 0, inEnglish);
    assert.deepEqual([canceled.summary, canceled.error], ["Canceled", undefined]);
    const running = runningPage("pi", inEnglish);
    assert.deepEqual(
      [running.isRunning, running.summary, running.notes],
      [true, "Running…", ["pi"]],
    );
    assert.deepEqual(running.labels, {
      ...{ tools: "Result", copy: "Copy Table", copyMarkdown: "Copy Markdown" },
      ...{ save: "Export CSV…", table: "Result table" },
    });
  });
});

describe("program of a profile", () => {
  const found: string[] = [];
  const jvm: JvmPrograms = {
    find: (source, root) => {
      found.push(`${source} in ${root}`);
      return Promise.resolve(
        source.endsWith("Gone.scala")
          ? err({ path: source, detail: "it is gone." } as never)
          : ok({ mainClass: "org.Found", root: "/cwd/jobs", command: "sbt package" } as never),
      );
    },
    built: (_, artifact) =>
      Promise.resolve(
        artifact === "none"
          ? err({ path: "/cwd/target", detail: "no jar" } as never)
          : ok({
              jar: "/cwd/a.jar",
              dependencies: artifact === "*" ? [] : ["/cwd/b.jar"],
            } as never),
      ),
    classPathCommand: () => Promise.resolve(undefined),
  };
  const place = { jvm, workingDirectory: "/cwd" };
  const built = (members: object) =>
    withBuiltJar({ application: "src/Main.scala", ...members }, place);

  test("is looked for only for Scala and Java files of this machine", async () => {
    for (const application of ["local:///opt/a.jar", "a.py", "https://x/Main.scala"]) {
      assert.deepEqual(await programOfSource({ application }, place), ok(undefined));
      assert.deepEqual(await built({ application }), ok({ application }));
    }
    assert.deepEqual(found, []);
    await programOfSource({ application: "src/Main.scala" }, place);
    assert.deepEqual(found, ["/cwd/src/Main.scala in /cwd"]);
  });

  test("is replaced by its jar, with the class that was found", async () => {
    assert.deepEqual(await built({ jars: ["c.jar"] }), {
      ok: true,
      value: { application: "/cwd/a.jar", class: "org.Found", jars: ["c.jar", "/cwd/b.jar"] },
    });
    assert.deepEqual(await built({ class: "org.Own", artifact: "*" }), {
      ok: true,
      value: { application: "/cwd/a.jar", class: "org.Own", artifact: "*" },
    });
  });

  test("gives a finding if the file or its jar is not there", async () => {
    const gone = await built({ application: "Gone.scala" });
    const text = gone.ok ? "" : inEnglish(gone.error[0]?.message);
    assert.match(text ?? "", /it is gone(?!\.\.)/);
    const unbuilt = await built({ artifact: "none" });
    assert.equal(!unbuilt.ok && inEnglish(unbuilt.error[0]?.message)?.includes("no jar"), true);
  });
});

describe("words of operator requests", () => {
  const object = {
    ...{ apiVersion: "x/v1", kind: "SparkApplication", name: "a", namespace: "jobs" },
  };
  const words = (failure: object) =>
    inEnglish(
      operatorFailureWords({ object, ...failure } as OperatorFailure, "dev", scriptedScreen()),
    );

  test("say what was not changed", () => {
    assert.deepEqual(
      [
        words({ kind: "alreadyThere" }),
        words({ kind: "replaced" }),
        words({ kind: "absent" }),
        words({ kind: "noApi" }),
        words({ kind: "stillThere" }),
        words({ kind: "refused", error: missing, isDeleted: true }),
        words({ kind: "refused", error: missing, isDeleted: false }),
      ],
      [
        'SparkApplication "a" already exists in namespace "jobs". It was not changed.',
        'SparkApplication "a" in namespace "jobs" was replaced in the meantime. It was not changed.',
        'SparkApplication "a" not found in namespace "jobs" of "dev". Submit it first.',
        'Cluster "dev" has no resource SparkApplication of x/v1. Install the operator, choose another cluster, or convert the manifest to a run profile with "Spark: Convert Submission…".',
        'Cannot replace SparkApplication "a": the existing object is still terminating, for example because of a finalizer whose operator is not running. Nothing was created.',
        'SparkApplication "a" was deleted, but could not be created again. It is notFound.',
        "It is notFound.",
      ],
    );
  });

  test("say why a request is impossible", () => {
    const refused = (action: "suspend" | "resume") =>
      inEnglish(operatorRefusalWords({ kind: "notInApi", action, apiVersion: "x/v1" } as never));
    assert.deepEqual(
      [
        inEnglish(operatorRefusalWords({ kind: "unnamed" })),
        ...[refused("suspend"), refused("resume")],
        ...[inEnglish(otherVersionWords("x/v0", "x/v1")), inEnglish(otherVersionWords(1, "x/v1"))],
      ],
      [
        'The manifest has no name. Add "metadata.name".',
        "Cannot suspend applications of x/v1: the API has no such field. Stop the application, and resubmit it later.",
        "Cannot resume applications of x/v1: the API has no such field. Resubmit the application instead.",
        'Unsupported API version "x/v0". Use "x/v1".',
        'Unsupported API version "". Use "x/v1".',
      ],
    );
  });
});

test("shown logs load their bundle with the first call, and report failures", async () => {
  const calls: string[] = [];
  const record =
    (name: string) =>
    (...values: readonly unknown[]): void => {
      calls.push(`${name} ${values.map(String).join()}`);
    };
  const shown = {
    ...{ begin: record("begin"), take: record("take"), opened: record("opened") },
    openDocument: record("openDocument"),
  } as unknown as ShownLogs;
  let loads = 0;
  const lazy = lazyShownLogs(
    () => {
      loads += 1;
      return loads > 4 ? Promise.reject(new Error("no bundle")) : Promise.resolve(shown);
    },
    (error) => calls.push(String(error)),
  );
  assert.equal(loads, 0);
  lazy.begin("v" as never);
  lazy.take("r" as never, "v" as never, "t" as never);
  lazy.opened("v" as never);
  lazy.openDocument("v" as never, 7);
  lazy.begin("v" as never);
  await settle();
  assert.deepEqual(calls, [
    "begin v",
    "take r,v,t",
    "opened v",
    "openDocument v,7",
    "Error: no bundle",
  ]);
});
