import type { Memento, Uri } from "vscode";
import type { Clock, Random } from "../../engine/ports/clock.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import type { RunCommit } from "../../spark/history/runRecord.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import type { Log } from "../log.ts";
import type { ShownLogs } from "../logs/shownLogs.ts";
import type { Profiles } from "../profiles/registerProfiles.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type * as submitDoor from "./door.ts";
import type { SubmissionRunOptions } from "./submissionRun.ts";

/** Dependencies of the commands that submit. */
export interface SubmitOptions {
  readonly profiles: Profiles;
  readonly askOptions: submitDoor.AskOptions;
  readonly clusters: SubmissionRunOptions["clusters"];
  readonly agree: SubmissionRunOptions["agree"];
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly loadDisk: () => Promise<Disk>;
  readonly watched: SubmissionRunOptions["watched"];
  readonly followed: SubmissionRunOptions["followed"];
  /** Called after each created driver pod. */
  readonly submitted: (driver: PodRecord) => void;
  readonly shownLogs: ShownLogs;
  /** The program that holds the driver of a session. */
  readonly sessionProgram: Uri;
  readonly clock: Clock;
  readonly random: Random;
  readonly memory: Memento;
  readonly history: RunHistory;
  /** The commit of a folder; undefined without a repository. */
  readonly commitOf: (folder: Uri | undefined) => Promise<RunCommit | undefined>;
  readonly documents: ReadOnlyDocuments;
  readonly log: Log;
}

/** File access on the extension host's machine. */
export interface Disk {
  readonly fetchTexts: SubmissionRunOptions["fetchTexts"];
  readonly probeTexts: SubmissionRunOptions["probeTexts"];
  readonly code: SubmissionRunOptions["code"];
  readonly jvm: SubmissionRunOptions["jvm"];
  readonly packages: SubmissionRunOptions["packages"];
  readonly surroundings: (workingDirectory: string) => SubmissionEnvironment;
  readonly uploadsFor: SubmissionRunOptions["uploadsFor"];
}
