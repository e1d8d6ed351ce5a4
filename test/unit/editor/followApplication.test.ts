import assert from "node:assert/strict";
import { test } from "node:test";
import { Emitter } from "../../../src/base/emitter.ts";
import { inEnglish, msg, type MessageText } from "../../../src/base/message.ts";
import type { SessionChange } from "../../../src/editor/apps/clusterSession.ts";
import { noteProblems } from "../../../src/editor/submit/followApplication.ts";
import type { Diagnosis } from "../../../src/spark/diagnosis/diagnosis.ts";

const diagnosis = (id: string, free: number): Diagnosis => ({
  ...{ id, fact: msg`no node has ${free} GiB free`, what: msg("x"), change: undefined },
  ...{ keys: [], told: undefined },
});

test("the terminal of a run prints each problem of its row once, for the driver or its executors", () => {
  const changes = new Emitter<SessionChange>(assert.ifError);
  const change = {} as SessionChange;
  const printed: string[] = [];
  let problem: { diagnosis: Diagnosis; isOfDriver: boolean } | undefined;
  const note = (text: MessageText): void => {
    printed.push(typeof text === "string" ? text : inEnglish(text));
  };
  const notes = noteProblems({ problem: () => problem, onDidChange: changes.event }, { note });
  const see = (id: string, free: number, isOfDriver: boolean): void => {
    problem = { diagnosis: diagnosis(id, free), isOfDriver };
    changes.fire(change);
  };
  see("D38", 5, true);
  see("D38", 6, true);
  problem = undefined;
  changes.fire(change);
  see("D39", 7, false);
  notes.dispose();
  see("D40", 8, true);
  assert.deepEqual(printed, [
    "driver: no node has 5 GiB free",
    "executors: no node has 7 GiB free",
  ]);
});
