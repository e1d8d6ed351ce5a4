// From a keystroke to the findings: 10,000 lines on each surface, changed in another place each time; beside
// yaml-language-server on the same settings; lines that nobody writes; and what loading the catalogue takes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openConf } from "../../src/editor/conf/door.ts";
import { hostileTexts, textOf, unusualTexts } from "./conf/texts.ts";
import { yamlPeerTimes } from "./conf/yamlPeer.ts";

const lines = 10_000;
const wantedMs = 16;
const wantedTimesFaster = 50;
const wantedLoadMs = 10;
const surfaces = ["properties", "manifest", "command", "python", "scala", "java"] as const;

const problems: string[] = [];
const help = openConf();

/** Milliseconds of processor time, which what else runs on the machine does not lengthen. */
function timed(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

const medianOf = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[times.length >> 1] ?? 0;

/** The text with a line put in at one of ten places. */
function changed(text: string, surface: (typeof surfaces)[number], round: number): string {
  const at = text.indexOf("\n", Math.floor((text.length * (round % 10)) / 10)) + 1;
  const sign = surface === "scala" || surface === "java" ? "//" : "#";
  return `${text.slice(0, at)}${sign} ${round}\n${text.slice(at)}`;
}

for (const surface of surfaces) {
  const text = textOf(surface, lines);
  let longest = 0;
  let opened = 0;
  let since = performance.now();
  for (const step of help.judgingSteps(text, surface, "4.3")) {
    assert.equal(step, undefined);
    const now = performance.now();
    longest = Math.max(longest, now - since);
    opened += now - since;
    since = now;
  }
  const times = Array.from({ length: 60 }, (_, round) => {
    const typed = changed(text, surface, round);
    return timed(() => help.diagnose(typed, surface, "4.3"));
  });
  const median = medianOf(times.slice(times.length / 2));
  console.log(
    `${surface}: ${lines.toLocaleString("en-US")} lines, findings after ${median.toFixed(1)} ms of processor time ` +
      `(when it is opened, ${opened.toFixed(0)} ms in steps of at most ${longest.toFixed(0)} ms)`,
  );
  if (median > wantedMs) problems.push(`${surface}: more than ${wantedMs} ms`);
  if (surface === "manifest") {
    const peer = medianOf(yamlPeerTimes(text, 5).slice(1));
    const factor = peer / median;
    console.log(
      `  yaml-language-server: ${peer.toFixed(0)} ms, ${factor.toFixed(0)} times as long`,
    );
    if (factor < wantedTimesFaster) problems.push(`not ${wantedTimesFaster} times as fast`);
  }
  const long = textOf(surface, Math.ceil((lines * 1_000_000) / text.length));
  const usual = medianOf(
    Array.from({ length: 8 }, (_, round) => {
      const typed = changed(long, surface, round);
      return timed(() => help.diagnose(typed, surface, "4.3"));
    }),
  );
  for (const [name, hostile] of hostileTexts(surface)) {
    const time = medianOf(
      Array.from({ length: 5 }, (_, round) => {
        const typed = `${hostile}${"\n".repeat(round)}`;
        return timed(() => help.diagnose(typed, surface, "4.3"));
      }),
    );
    if (time > 2 * usual)
      problems.push(`${surface}, ${name}: ${(time / usual).toFixed(1)} times a usual file`);
  }
  console.log(
    `  1 MB on usual lines: ${usual.toFixed(1)} ms; hostile lines cost no more than twice that`,
  );
}

for (const [name, surface, text] of unusualTexts(lines)) {
  const times = Array.from({ length: 40 }, (_, round) => {
    const typed = changed(text, surface, round);
    return timed(() => help.diagnose(typed, surface, "4.3"));
  });
  const median = medianOf(times.slice(times.length / 2));
  console.log(`${surface}, ${name}: findings after ${median.toFixed(1)} ms of processor time`);
  if (median > wantedMs) problems.push(`${surface}, ${name}: more than ${wantedMs} ms`);
}

const table = readFileSync(
  join(import.meta.dirname, "../../src/spark/conf/catalogue.json"),
  "utf8",
);
const loads = Array.from({ length: 9 }, () =>
  timed(() => {
    JSON.parse(table);
    openConf();
  }),
);
console.log(
  `catalogue: ${Math.round(table.length / 1024)} KiB, open after ${medianOf(loads).toFixed(1)} ms`,
);
if (medianOf(loads) > wantedLoadMs)
  problems.push(`the catalogue takes more than ${wantedLoadMs} ms`);

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
