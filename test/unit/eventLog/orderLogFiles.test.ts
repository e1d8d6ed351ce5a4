import assert from "node:assert/strict";
import { test } from "node:test";
import { idInLogPath, wholeLogPath } from "../../../src/spark/eventLog/orderLogFiles.ts";

test("a file of a rolling log stands for its folder", () => {
  for (const [path, whole] of [
    ["/a/eventlog_v2_spark-1/events_1_spark-1.zstd", "/a/eventlog_v2_spark-1"],
    ["/c:/a/eventlog_v2_spark-1_2/events_12_spark-1_2.zstd.compact", "/c:/a/eventlog_v2_spark-1_2"],
    ["/a/eventlog_v2_spark-1/appstatus_spark-1.inprogress", "/a/eventlog_v2_spark-1"],
    ["/a/eventlog_v2_spark-1/notes.txt", "/a/eventlog_v2_spark-1/notes.txt"],
    ["/a/eventlog_v2_spark-1", "/a/eventlog_v2_spark-1"],
    ["/a/events_1_spark-1", "/a/events_1_spark-1"],
    ["/a/spark-1.zstd", "/a/spark-1.zstd"],
  ] as const)
    assert.equal(wholeLogPath(path), whole);
});

test("the name of a log contains the id of its application", () => {
  for (const path of [
    ...["/a/eventlog_v2_spark-1/", "/a/events_12_spark-1.zstd.compact", "/a/spark-1"],
    ...["/a/appstatus_spark-1.inprogress", "/a/spark-1.lz4.inprogress"],
  ])
    assert.equal(idInLogPath(path), "spark-1");
});
