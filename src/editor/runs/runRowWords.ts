import { msg, type Message } from "../../base/message.ts";
import type { RunRecord } from "../../spark/history/runRecord.ts";
import { outcomeWords, rowWords } from "../profiles/outcomeWords.ts";

type Ended = Pick<RunRecord, "outcome" | "exitCode" | "endedAt" | "cause">;

/** Runs that are followed are stored as detached, since the window may close before their end. */
const isOpenEnded = ({ outcome, endedAt }: Ended): boolean =>
  endedAt === undefined && (outcome === "detached" || outcome === "submitted");

/** The outcome of a run in a document: `failed: exit code 1`. */
export const runWords = (run: Ended): Message =>
  isOpenEnded(run) ? msg("running when last seen") : outcomeWords(run.outcome, run.exitCode);

/** The outcome of a run in a row, where the cause of a failure comes first. */
export const runRowWords = (run: Ended): Message =>
  isOpenEnded(run) ? runWords(run) : rowWords(run.outcome, run.exitCode, run.cause);
