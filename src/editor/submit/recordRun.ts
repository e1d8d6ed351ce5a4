import type { TaskDefinition } from "vscode";
import { textOf, itemsOf } from "../../base/json.ts";
import type { RunCommit, RunRecord } from "../../spark/history/runRecord.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import { totalSize } from "../../spark/submit/code/sentCode.ts";
import type { ProfileName } from "../profiles/profileName.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import { taskWithoutSecrets } from "./knownRuns.ts";
import type { RunEvents } from "./submissionRun.ts";

interface RecordOptions {
  readonly history: Pick<RunHistory, "update">;
  /** The definition before variable substitution. Undefined for a pasted command, which may contain secrets. */
  readonly definition: TaskDefinition | undefined;
  readonly commit: () => Promise<RunCommit | undefined>;
  readonly now: () => number;
  readonly error: (error: unknown) => void;
}

/** Returns callbacks that store a run of a profile or a pasted command when it begins and when it ends. */
export function recordRun(
  profile: ProfileName,
  { history, definition, commit, now, error }: RecordOptions,
): Pick<RunEvents, "began" | "ended"> {
  let id: string | undefined;
  return {
    began: ({ driver, plan, conf, context }) => {
      const files = plan.code?.files;
      const written = definition && writtenOf(definition);
      const begun: RunRecord = {
        id: driver.uid,
        name: profile.name,
        folder: profile.folder?.toString(),
        isSubmitted: true,
        context,
        namespace: driver.namespace,
        applicationId: driver.labels[appSelectorLabel] ?? plan.identity.applicationId,
        startedAt: now(),
        endedAt: undefined,
        // The outcome stays "detached" if the window closes before the end.
        outcome: "detached",
        exitCode: undefined,
        cause: undefined,
        sent: files && { files: files.length, bytes: totalSize(files) },
        conf,
        application: textOf(written?.["application"]),
        mainClass: textOf(written?.["class"]),
        args: itemsOf(written?.["args"]).flatMap((arg) => textOf(arg) ?? []),
        image: textOf(written?.["image"]),
        digest: undefined,
        git: undefined,
        spent: undefined,
        executors: undefined,
        definition: written,
      };
      id = begun.id;
      // Read the commit now, because the code has just been sent.
      const asked = commit();
      history
        .update(begun.id, () => begun)
        .then(() => asked)
        .then((git) => history.update(begun.id, (run) => run && git && { ...run, git }))
        .catch(error);
    },
    ended: (outcome, exitCode, { cause, startedAt, endedAt } = {}) => {
      if (id === undefined) return;
      const hasEnded = outcome !== "detached" && outcome !== "submitted";
      const facts = {
        ...(cause !== undefined && { cause }),
        // Use the driver's start time, so that the duration is the same as in the application's row.
        ...(startedAt !== undefined && { startedAt }),
      };
      const end = hasEnded ? { exitCode, endedAt: endedAt ?? now(), ...facts } : {};
      history.update(id, (run) => run && { ...run, outcome, ...end }).catch(error);
    },
  };
}

function writtenOf(definition: TaskDefinition): TaskDefinition {
  const written: TaskDefinition = { ...taskWithoutSecrets(definition).value };
  delete written["label"];
  return written;
}
