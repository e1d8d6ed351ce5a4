// Event logs of real applications, and the REST responses of a history server about one of them.
import { readFileSync } from "node:fs";
import { constants, gunzipSync, zstdDecompressSync } from "node:zlib";

export type LogName = "4.3.0-etl" | "4.3.0-fail" | "4.3.0-running" | "3.5.9-fail";

/**
 * Returns the text of a log. The running one was copied while the driver wrote it, so its last frame and line are
 * incomplete.
 */
export function recordedLog(name: LogName): string {
  if (name.endsWith("fail")) return gunzipSync(recording(`${name}.gz`)).toString();
  // Returns the readable part of an incomplete frame.
  const finishFlush = constants.ZSTD_e_flush;
  return zstdDecompressSync(recording(`${name}.zstd`), { finishFlush }).toString();
}

export type RestItem = Readonly<Record<string, unknown>>;

/** Returns lists of the history server's REST API for `4.3.0-etl`. */
export const historyAnswers = (): Readonly<
  Record<"stages" | "jobs" | "executors" | "applications" | "sql", readonly RestItem[]>
> =>
  JSON.parse(gunzipSync(recording("4.3.0-etl.rest.json.gz")).toString()) as ReturnType<
    typeof historyAnswers
  >;

export const recording = (file: string): Buffer =>
  readFileSync(new URL(`recordings/${file}`, import.meta.url));
