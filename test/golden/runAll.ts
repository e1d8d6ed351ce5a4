import type { Recording } from "./alternatives.ts";
import type { GoldenCase } from "./caseFiles.ts";
import { judge, type Verdict } from "./deliberate.ts";
import { compact, readPacked } from "./packed.ts";
import { Recorder } from "./recorder.ts";
import { runCase } from "./runCase.ts";

export interface Run {
  readonly golden: GoldenCase;
  readonly version: string;
}

// Cases mostly wait for sockets; more parallel cases would compete for the CPU.
const lanes = 4;

/** Runs the cases in parallel lanes, each with its own server, and reports results in the order of `runs`. */
export async function runAll(
  runs: readonly Run[],
  report: (run: Run, verdict: Verdict) => void,
): Promise<void> {
  const known = new Map(readPacked().map((golden) => [golden.id, golden] as const));
  const isAsKnown = ({ golden, version, expected }: Recording): boolean => {
    const packed = known.get(golden.id);
    if (!packed?.versions.includes(version)) return true;
    return JSON.stringify(compact(packed.recording(version))) === JSON.stringify(compact(expected));
  };
  const verdicts: Verdict[] = [];
  let next = 0;
  let told = 0;
  const lane = async (): Promise<void> => {
    const recorder = new Recorder();
    const ports = await recorder.start();
    try {
      for (let index = next++; ; index = next++) {
        const run = runs[index];
        if (run === undefined) return;
        const { golden, version } = run;
        const recording = { ...run, expected: golden.recording(version) };
        verdicts[index] = await verdictOf(async () =>
          judge(recording, await runCase(golden, version, recorder, ports), isAsKnown),
        );
        for (; runs[told] && verdicts[told]; told++) {
          const [each, verdict] = [runs[told], verdicts[told]];
          if (each && verdict) report(each, verdict);
        }
      }
    } finally {
      await recorder.stop();
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

// A defect in our code fails the case, not the whole run.
async function verdictOf(run: () => Promise<Verdict>): Promise<Verdict> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error) {
      return { differences: [error.stack ?? error.message], reasons: [] };
    }
    throw error;
  }
}
