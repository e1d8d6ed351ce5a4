import type { RunRecord } from "../../spark/history/runRecord.ts";
import { timeWords } from "../apps/rows/details.ts";
import { translated } from "../ui/translated.ts";
import { runWords } from "./runRowWords.ts";

export const runOutcomeWords = (run: RunRecord): string => translated(runWords(run));

export const isoTime = (at: number | undefined): string | undefined =>
  at === undefined || Math.abs(at) > 8.64e15 ? undefined : new Date(at).toISOString();

export const startWords = ({ startedAt }: Pick<RunRecord, "startedAt">, now: number): string =>
  translated(timeWords(isoTime(startedAt), now)) ?? "";

export const clockTime = (at: number): string => new Date(at).toLocaleTimeString();
