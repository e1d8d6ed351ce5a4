import type { Uri } from "vscode";
import type { RunCommit } from "../../spark/history/runRecord.ts";
import type { RunHistory } from "../runs/runHistory.ts";
import type { Profiles } from "../profiles/registerProfiles.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type * as submitDoor from "./door.ts";
import type { Disk, RunServices } from "./submissionRun.ts";

/**
 * Dependencies of the commands that submit. More than a dozen members, because `extension.ts` passes all of them in one
 * object. Each function declares a smaller type with only the members that it uses.
 */
export interface SubmitOptions extends RunServices {
  readonly profiles: Profiles;
  readonly askOptions: submitDoor.AskOptions;
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly loadDisk: () => Promise<Disk>;
  /** The Python program that a Spark session's driver runs: it starts the Connect server. */
  readonly sessionProgram: Uri;
  readonly history: RunHistory;
  /** Returns the current commit of a folder; undefined without a repository. */
  readonly commitOf: (folder: Uri | undefined) => Promise<RunCommit | undefined>;
  readonly documents: ReadOnlyDocuments;
}
