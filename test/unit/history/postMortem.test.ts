import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { marked } from "marked";
import { inEnglish } from "../../../src/base/message.ts";
import { postMortemOf } from "../../../src/spark/history/postMortem.ts";
import type { RunRecord } from "../../../src/spark/history/runRecord.ts";
import {
  addChanges,
  addMark,
  addSample,
  emptyTimeline,
  putStages,
  type Timeline,
} from "../../../src/spark/timeline/timeline.ts";
import { sampleFixture, spanFixture } from "../timeline/timelineFixture.ts";
import { runFixture } from "./runFixture.ts";

const reportOf = (run: RunRecord, timeline?: Timeline): string =>
  postMortemOf(run, timeline, {
    ...{ outcome: "failed: exit code 1", show: inEnglish },
    time: (at) => `at ${new Date(at).toISOString().slice(11, 19)}`,
  });

const common = { fromReason: undefined, reason: undefined };
const start = Date.parse("2026-11-24T10:00:00Z");

function someTimeline(name = "count at orders.py:12"): Timeline {
  let timeline = addChanges(emptyTimeline, [
    { ...common, at: start, pod: "1", from: undefined, to: "pending", reason: "memory" },
    {
      ...common,
      at: start + 45_000,
      pod: "1",
      from: "pending",
      fromReason: "memory",
      to: "running",
    },
    { ...common, at: start + 99_000, pod: "1", from: "running", to: "failed" },
  ]);
  timeline = addMark(timeline, {
    at: start + 99_000,
    kind: "failed",
    pod: "1",
    exit: "137 OOMKilled",
  });
  timeline = putStages(timeline, [
    spanFixture({ stageId: 3, name, submittedAt: start, endedAt: start + 62_000, tasks: 200 }),
  ]);
  return addSample(
    timeline,
    sampleFixture({ at: start + 90_000, taskMs: 1_000, gcMs: 150, shuffleReadBytes: 3 << 20 }),
  );
}

describe("a post-mortem", () => {
  test("has the facts, the numbers, the marks, the stages and the conf", () => {
    const report = reportOf(runFixture(), someTimeline());
    for (const line of [
      "# Post-mortem: orders",
      "| Outcome | failed: exit code 1 |",
      "| Cause | out of memory |",
      "| Duration | 4 min |",
      "| Last driver metrics | at 10:01:30 |",
      "| Git commit | `0123456789abcdef0123456789abcdef01234567` `main` with uncommitted changes |",
      "| Executors | 5 seen, 1 failed |",
      "| Requested resources | 1 core-hours, 2 GiB-hours |",
      "| Longest wait for executors | 45 s from at 10:00:00 |",
      "| Peak executor memory | 400 MiB of 896 MiB |",
      "| Garbage collection | 15 % of task time |",
      "| Shuffle read | 3 MiB |",
      "| at 10:01:39 | 1 | failed 137 OOMKilled |",
      "| 3.0 | 62 s | 200 | 0 | count at orders.py:12 |",
      "spark.executor.instances=4",
    ]) {
      assert.ok(report.split("\n").includes(line), `${line}\n---\n${report}`);
    }
  });

  test("has only the facts that are known", () => {
    const report = reportOf(
      runFixture({ cause: undefined, git: undefined, digest: undefined, endedAt: undefined }),
    );
    assert.ok(!/Cause|Git commit|digest|Ended|Numbers|undefined/.test(report), report);
  });

  test("contains no planted secret", () => {
    const secret = "PLANTED-9";
    const run = runFixture({
      name: `orders password=${secret}`,
      cause: `login failed for jdbc:postgresql://u:${secret}@db/x`,
      application: `https://u:${secret}@host/orders.py`,
      args: ["--password", secret, `--dsn=postgres://u:${secret}@h/db`, `token=${secret}`],
      image: `https://u:${secret}@registry/spark`,
      conf: [
        ["spark.hadoop.fs.s3a.secret.key", secret],
        ["spark.my.url", `jdbc:postgresql://u:${secret}@h/db`],
        ["spark.driver.extraJavaOptions", `-Dmy.password=${secret}`],
      ],
    });
    const report = reportOf(run, someTimeline(`save password=${secret}`));
    assert.ok(!report.includes(secret), report);
    assert.ok(report.includes("(redacted)"));
  });

  test("shows hostile texts as data", () => {
    const hostile =
      "`](x)<img src=x onerror=alert(1)> @team https://evil.example/ |a|\n# title ![p](http://e)";
    const run = runFixture({
      ...{ name: hostile, cause: hostile, context: hostile, image: hostile, application: hostile },
      args: [hostile, "```", "`"],
      conf: [["spark.x", "```\n# title"]],
    });
    const html = marked.parse(reportOf(run, someTimeline(hostile)), { async: false });
    assert.ok(!/<img|<a |<script|onerror=alert\(1\)>/.test(html), html);
    assert.equal(html.match(/<h1/g)?.length, 1);
    assert.ok(!/@team/.test(html.replace(/<code>.*?<\/code>/g, "")), html);
  });
});
