// Measures linting of 2,000 and 10,000 lines on each surface, linting of hostile lines, and loading the catalogue. All
// figures are process CPU time, because other load on the machine does not affect it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openConf } from "../../src/editor/conf/door.ts";
import type { Surface } from "../../src/spark/surfaces/surfaces.ts";
import { hostileTexts, surfacesOfTexts, textOf, unusualTexts } from "./conf/texts.ts";
import { yamlPeerTimes } from "./conf/yamlPeer.ts";
import { isSmallest, Targets } from "./targets.ts";

/** Maximum CPU time of linting, in milliseconds, for each number of lines. */
const limits = isSmallest
  ? [{ lines: 300, maxMs: 25 }]
  : [
      { lines: 2_000, maxMs: 25 },
      { lines: 10_000, maxMs: 100 },
    ];
const maxLines = Math.max(...limits.map(({ lines }) => lines));
const hostileBytes = isSmallest ? 30_000 : 1_000_000;
const maxStepMs = 50;
const minTimesFaster = 5;
const maxLoadMs = 10;

const targets = new Targets();
const help = openConf();

/** Returns the CPU milliseconds of all threads for a call, including garbage collection. */
function timed(work: () => void): number {
  const start = process.cpuUsage();
  work();
  return cpuMsSince(start);
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const medianOf = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

/** Returns the median CPU milliseconds of the later half of the runs. Each run changes the text, as typing does. */
function typedTime(text: string, surface: Surface, runs = 15): number {
  const times = Array.from({ length: runs }, (_, run) =>
    timed(() => help.diagnose(`${text}${"\n".repeat(run)}`, surface, "4.3")),
  );
  return medianOf(times.slice(times.length >> 1));
}

/** Returns the longest time, in CPU milliseconds, without a yield to the event loop: the median of 5 runs. */
function longestStep(text: string, surface: Surface): number {
  const steps = Array.from({ length: 5 }, () => {
    let maxBlockedMs = 0;
    let start = process.cpuUsage();
    for (const pause of help.diagnosing(text, surface, "4.3")) {
      assert.equal(pause, undefined);
      maxBlockedMs = Math.max(maxBlockedMs, cpuMsSince(start));
      start = process.cpuUsage();
    }
    return Math.max(maxBlockedMs, cpuMsSince(start));
  });
  return medianOf(steps);
}

for (const surface of surfacesOfTexts) {
  for (const { lines, maxMs } of limits) {
    const text = textOf(surface, lines);
    const first = timed(() => help.diagnose(text, surface, "4.3"));
    const time = typedTime(text, surface);
    const name = `${surface}, ${lines.toLocaleString("en-US")} lines`;
    console.log(
      `${name}: findings after ${time.toFixed(1)} ms, the first time ${first.toFixed(0)} ms`,
    );
    targets.atMost(`${name}, findings`, time, maxMs, "ms");
  }
  const long = textOf(surface, maxLines);
  targets.atMost(`${surface}, longest step`, longestStep(long, surface), maxStepMs, "ms");
  if (surface === "manifest") {
    const peer = medianOf(yamlPeerTimes(long, 5).slice(1));
    const factor = peer / typedTime(long, surface);
    console.log(`  yaml-language-server: ${peer.toFixed(0)} ms`);
    targets.atLeast("faster than yaml-language-server", factor, minTimesFaster, "times");
  }
  if (surface === "profiles") continue;
  const plain = textOf(surface, Math.ceil((maxLines * hostileBytes) / long.length));
  const plainTime = typedTime(plain, surface, 8);
  console.log(
    `  ${(hostileBytes / 1e6).toFixed(2)} MB of normal lines: ${plainTime.toFixed(1)} ms`,
  );
  for (const [name, hostile] of hostileTexts(surface)) {
    const time = typedTime(hostile, surface, 5);
    targets.atMost(`${surface}, ${name}, relative to normal lines`, time / plainTime, 2, "times");
  }
}

for (const [name, surface, text] of unusualTexts(maxLines)) {
  targets.atMost(`${surface}, ${name}`, typedTime(text, surface), 100, "ms");
}

const table = readFileSync(
  join(import.meta.dirname, "../../src/spark/conf/catalogue/catalogue.json"),
  "utf8",
);
const loads = Array.from({ length: 9 }, () =>
  timed(() => {
    JSON.parse(table);
    openConf();
  }),
);
console.log(`catalogue: ${Math.round(table.length / 1024)} KiB`);
targets.atMost("opening the catalogue", medianOf(loads), maxLoadMs, "ms");
targets.end();
