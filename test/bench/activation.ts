// Compares the activation time of this extension with that of an empty extension, in a real VS Code.
import assert from "node:assert/strict";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { bundle } from "../host/bundleInside.ts";
import { projectRoot } from "../host/places.ts";
import { VscodeHost } from "../host/vscodeHost.ts";
import { isSmallest, Targets } from "./targets.ts";

interface Sample {
  readonly empty: number;
  readonly ours: number;
  readonly loaded: readonly string[];
}

const rounds = isSmallest ? 1 : 4;
const maxTimesEmpty = 4;
const samples: Sample[] = [];
const tests = await bundle("test/bench/activation/inside.ts", "node");
for (const order of ["empty first", "reversed"]) {
  const env = { BENCH_ORDER: order };
  const host = await VscodeHost.start({
    ...{ version: "newest", extension: "development", env },
    prepare: installEmptyExtension,
  });
  try {
    const folder = await host.makeWorkspace({});
    for (let round = 0; round < rounds; round += 1) {
      const report = await host.runInside({ folder, tests });
      samples.push(readSample(report.lines));
    }
  } finally {
    await host.stop();
  }
}

const ours = median(samples.map((sample) => sample.ours));
const empty = median(samples.map((sample) => sample.empty));
const { size } = await stat(join(projectRoot, "dist/extension.cjs"));
console.log(`samples                 ${samples.length}, each in an extension host of its own`);
console.log(`empty extension         ${empty.toFixed(1)} ms (median)`);
console.log(`this extension          ${ours.toFixed(1)} ms (median)`);
console.log(`ratio                   ${(ours / empty).toFixed(2)}`);
console.log(`main bundle             ${size.toLocaleString("en-US")} bytes`);
console.log(`bundles loaded          ${samples[0]?.loaded.join(", ") ?? ""}`);
for (const { loaded } of samples) assert.deepEqual(loaded, ["extension.cjs"]);
const targets = new Targets();
targets.atMost("activation beside an empty extension", ours / empty, maxTimesEmpty, "times");
targets.atMost("main bundle", size / 1_000, 150, "KB");
targets.end();

/** Installs the empty extension as a file, because the host loads only one extension under development: ours. */
async function installEmptyExtension(hostFolder: string): Promise<void> {
  const location = "bench.empty-0.0.1";
  const path = join(hostFolder, "extensions", location);
  const manifest = {
    ...{ name: "empty", publisher: "bench", version: "0.0.1", main: "./main.cjs" },
    ...{ engines: { vscode: "^1.106.0" }, activationEvents: ["onCommand:bench.never"] },
  };
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "package.json"), JSON.stringify(manifest));
  await writeFile(join(path, "main.cjs"), "exports.activate = () => undefined;\n");
  const entry = {
    identifier: { id: "bench.empty" },
    version: manifest.version,
    location: { $mid: 1, path, scheme: "file" },
    relativeLocation: location,
    metadata: { installedTimestamp: 0, source: "vsix" },
  };
  await writeFile(join(hostFolder, "extensions/extensions.json"), JSON.stringify([entry]));
}

function readSample(lines: readonly string[]): Sample {
  const line = lines.find((text) => text.startsWith("bench "));
  if (line === undefined) throw new Error(`no sample came back:\n${lines.slice(-10).join("\n")}`);
  const sample: unknown = JSON.parse(line.slice("bench ".length));
  assert.ok(
    typeof sample === "object" && sample !== null && "times" in sample && "loaded" in sample,
  );
  const { times, loaded } = sample;
  assert.ok(typeof times === "object" && times !== null && Array.isArray(loaded));
  const timeOf = new Map(Object.entries(times).map(([id, time]) => [id, Number(time)]));
  return {
    empty: timeOf.get("bench.empty") ?? Number.NaN,
    ours: timeOf.get("spark-k8s.spark-k8s") ?? Number.NaN,
    loaded: loaded.map(String),
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
