import type { Memento } from "vscode";
import type { Clock, Random } from "../../engine/ports.ts";
import type { PodRecord } from "../../spark/pods/podRecord.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import type { Log } from "../log.ts";
import type { TraceSink } from "../logs/loggedTrace.ts";
import type { Profiles } from "../profiles/registerProfiles.ts";
import type { ReadOnlyDocuments } from "../readOnlyDocuments.ts";
import type * as submitDoor from "./door.ts";
import type { RunOptions } from "./submissionRun.ts";

/** What the commands that submit work with. */
export interface SubmitOptions {
  readonly profiles: Profiles;
  readonly askOptions: submitDoor.AskOptions;
  /** A connection of its own for each run. */
  readonly connect: RunOptions["connect"];
  readonly connectTo: RunOptions["connectTo"];
  readonly loadSubmit: () => Promise<typeof submitDoor>;
  readonly loadDisk: () => Promise<Disk>;
  readonly watched: RunOptions["watched"];
  readonly followed: RunOptions["followed"];
  /** Told of each driver pod that was created. */
  readonly submitted: (driver: PodRecord) => void;
  /** Told of the traces that runs print. */
  readonly traces: TraceSink;
  readonly clock: Clock;
  readonly random: Random;
  readonly memory: Memento;
  readonly documents: ReadOnlyDocuments;
  readonly log: Log;
}

/** What the disk of the extension's side gives. */
export interface Disk {
  readonly fetchTexts: RunOptions["fetchTexts"];
  readonly surroundings: (workingDirectory: string) => Surroundings;
  readonly uploadsFor: RunOptions["uploadsFor"];
}
