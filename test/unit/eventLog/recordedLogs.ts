// Event logs of real applications, and what a history server said about one of them.
import { readFileSync } from "node:fs";
import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";

export type LogName = "4.3.0-etl" | "4.3.0-fail" | "4.3.0-running" | "3.5.9-fail";

/** The text of a log. The running one was copied while the driver wrote it: its last frame and line are torn. */
export function recordedLog(name: LogName): string {
  if (name.endsWith("fail")) return gunzipSync(recording(`${name}.gz`)).toString();
  // With a torn frame, keep the part that can be read.
  const finishFlush = constants.ZSTD_e_flush;
  return zstdDecompressSync(recording(`${name}.zstd`), { finishFlush }).toString();
}

export type RestItem = Readonly<Record<string, unknown>>;

/** Lists of the history server's REST API for `4.3.0-etl`. */
export const historyAnswers = (): Readonly<
  Record<"stages" | "jobs" | "executors" | "applications" | "sql", readonly RestItem[]>
> =>
  JSON.parse(gunzipSync(recording("4.3.0-etl.rest.json.gz")).toString()) as ReturnType<
    typeof historyAnswers
  >;

export const recording = (file: string): Buffer =>
  readFileSync(new URL(`recordings/${file}`, import.meta.url));
