// Fuzzes every parser and text sink: `npm run fuzz -- [--minutes 60] [--seed 7] [--inputs 100] [--target conf,logs]`.
// Replays the inputs in `seeds/` first, and fuzzes only if they all pass. Saves failing inputs in `seeds/<target>/`.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { readSeedFile, seedFileOf, type FuzzInput } from "./input.ts";
import { inputOf } from "./mutate.ts";
import { shrink } from "./shrink.ts";
import { targetNamed, targetNames } from "./targets/targets.ts";
import { problemOf, type FuzzFault, type FuzzWork } from "./worker.ts";

const hangMs = 20_000;
const maxFaults = 3;
const seedsFolder = join(import.meta.dirname, "seeds");

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    target: { type: "string", default: targetNames.join(",") },
    inputs: { type: "string", default: "Infinity" },
  },
});
const seed = Number(values.seed);
const ends = Date.now() + Number(values.minutes) * 60_000;
const targets = values.target.split(",");
/** Maximum inputs per target. With the same seed, every machine tries the same inputs until the time limit. */
const maxInputs = Number(values.inputs);
console.log(`seed ${seed}, ${values.minutes} min, ${targets.length} targets`);

const faults: FuzzFault[] = [];
replay();
if (faults.length === 0) await fuzz();
for (const { target, message } of faults) console.error(`FAILED ${target}: ${message}`);
process.exitCode = faults.length === 0 ? 0 : 1;

function replay(): void {
  let count = 0;
  for (const target of targets) {
    const folder = join(seedsFolder, target);
    for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
      const input = readSeedFile(name, readFileSync(join(folder, name)));
      const message = problemOf(target, input);
      count += 1;
      if (message !== undefined) faults.push({ target, input, message: `${name}: ${message}` });
    }
  }
  console.log(`${count} kept inputs replayed, ${faults.length} handled wrongly`);
}

async function fuzz(): Promise<void> {
  let left = targets;
  const counts = new Map(targets.map((target) => [target, 0]));
  while (Date.now() < ends && left.length > 0) {
    const shared = new SharedArrayBuffer(4 * (left.length + 1));
    const progress = new Int32Array(shared);
    left.forEach((target, index) => {
      progress[index] = counts.get(target) ?? 0;
    });
    const milliseconds = ends - Date.now();
    const work: FuzzWork = { targets: left, seed, milliseconds, maxInputs, progress };
    const end = await runWorker(work);
    left.forEach((target, index) => counts.set(target, progress[index] ?? 0));
    if (end !== "done") {
      const target = left[progress[left.length] ?? 0] ?? "";
      keep({
        target,
        input: inputOf(targetNamed(target), seed, counts.get(target) ?? 0),
        message: end,
      });
    }
    left = left.filter(
      (name) =>
        faults.filter(({ target }) => target === name).length < maxFaults &&
        (counts.get(name) ?? 0) < maxInputs,
    );
  }
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
  console.log([...counts].map(([name, count]) => `${name} ${count}`).join(", "));
  console.log(`${total} inputs, ${faults.length} handled wrongly`);
}

/** Runs a worker thread until it ends. Returns `done`, or the reason for its failure, such as a hang of 20 s. */
function runWorker(work: FuzzWork): Promise<string> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("worker.ts", import.meta.url), {
      workerData: work,
      // Enough for any input of up to 1 MB. Exceeding it counts as a failure.
      resourceLimits: { maxOldGenerationSizeMb: 700 },
    });
    let seen = "";
    let seenAt = Date.now();
    const timer = setInterval(() => {
      const now = work.progress.join(" ");
      if (now !== seen) [seen, seenAt] = [now, Date.now()];
      else if (Date.now() - seenAt > hangMs) settle(`no end after ${hangMs / 1000} s`);
    }, 500);
    const settle = (end: string): void => {
      clearInterval(timer);
      void worker.terminate().then(() => {
        resolve(end);
      });
    };
    worker.on("message", (fault: FuzzFault) => {
      keep(fault);
      if (faults.filter(({ target }) => target === fault.target).length >= maxFaults) {
        settle("done");
      }
    });
    worker.on("error", (error) => {
      settle(`${error.name}: ${error.message}`);
    });
    worker.on("exit", () => {
      settle("done");
    });
  });
}

/** Records a fault and saves its shrunk input. Ignores a fault whose message differs only in numbers. */
function keep(fault: FuzzFault): void {
  const kindOf = ({ target, message }: FuzzFault): string =>
    `${target} ${message.replace(/\d+/g, "")}`;
  if (faults.some((other) => kindOf(other) === kindOf(fault))) return;
  faults.push(fault);
  const input: FuzzInput = shrink(fault);
  const { name, content } = seedFileOf(targetNamed(fault.target), input);
  mkdirSync(join(seedsFolder, fault.target), { recursive: true });
  writeFileSync(join(seedsFolder, fault.target, name), content);
  console.error(
    `${fault.target}: ${fault.message}\n  kept as test/fuzz/seeds/${fault.target}/${name}`,
  );
}
