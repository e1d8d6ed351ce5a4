import type { Uri } from "vscode";
import type { RunCommit } from "../../spark/history/runRecord.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import type { Profiles } from "../profiles/registerProfiles.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type * as submitDoor from "./door.ts";
import type { Disk, RunServices } from "./submissionRun.ts";

/**
 * Dependencies of the commands that submit. More than a dozen members, because `extension.ts` passes them once. Each
 * function takes the few that it needs.
 */
export interface SubmitOptions extends RunServices {
  readonly profiles: Profiles;
  readonly askOptions: submitDoor.AskOptions;
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly loadDisk: () => Promise<Disk>;
  /** The program that holds the driver of a session. */
  readonly sessionProgram: Uri;
  readonly history: RunHistory;
  /** The commit of a folder; undefined without a repository. */
  readonly commitOf: (folder: Uri | undefined) => Promise<RunCommit | undefined>;
  readonly documents: ReadOnlyDocuments;
}
