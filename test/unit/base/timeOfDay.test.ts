import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clockOfStamp,
  dateAndTime,
  localTime,
  recentTime,
  timeOfDay,
  zonedTime,
} from "../../../src/base/timeOfDay.ts";
import { inZone } from "./timeZone.ts";

const at = Date.parse("2026-01-02T13:33:21.007Z");

test("shows local times without seconds, except where events are compared", (t) => {
  inZone(t, "Asia/Kolkata");
  assert.equal(timeOfDay(at), "19:03");
  assert.equal(timeOfDay(at, "seconds"), "19:03:21");
  assert.equal(dateAndTime(at), "2026-01-02 19:03");
  assert.equal(dateAndTime(at, "seconds"), "2026-01-02 19:03:21");
  assert.deepEqual([timeOfDay(NaN), dateAndTime(NaN)], ["–", "–"]);
});

test("adds the date unless it is today's in local time", (t) => {
  inZone(t, "Asia/Kolkata");
  const hours = (count: number): number => at + count * 3_600_000;
  assert.equal(recentTime(at, hours(4)), "19:03");
  assert.equal(recentTime(at, hours(5), "seconds"), "2026-01-02 19:03:21");
});

test("shows the timestamp of a log line in local time with a fixed width", (t) => {
  inZone(t, "Asia/Kolkata");
  assert.deepEqual(
    [
      "2026-01-02T13:33:21.123456789Z",
      "2026-01-02T13:33:21Z",
      "2026-01-02T13:33:21.007+00:00",
      "2026-01-02T20:00:00.5+01:00",
      "",
      "garbage",
    ].map(clockOfStamp),
    [
      "19:03:21.123",
      "19:03:21.000",
      "19:03:21.007",
      "00:30:00.500",
      "            ",
      "            ",
    ],
  );
});

test("shows a date and its time as sortable text, for other readers with the time zone", (t) => {
  inZone(t, "Asia/Kolkata");
  assert.equal(localTime(at), "2026-01-02 19:03:21");
  assert.equal(zonedTime(at), "2026-01-02 19:03:21 +05:30");
  inZone(t, "America/New_York");
  assert.equal(zonedTime(at), "2026-01-02 08:33:21 -05:00");
  assert.equal(zonedTime(NaN), "–");
});
