import type { EnvironmentVariableCollection, Memento, Uri } from "vscode";
import type { Clock } from "../../engine/ports/clock.ts";
import type { RunnerPlace, SelectionRunner } from "../../engine/ports/selections.ts";
import type { ClusterSession } from "../apps/clusterSession.ts";
import type { Screen } from "../screen.ts";
import type { Log } from "../log.ts";

/** Services that Spark Connect sessions need: terminal variables, the Python runner, the files of the result panel. */
export interface SessionServices {
  /** The environment variables of new terminals. */
  readonly variables: EnvironmentVariableCollection;
  readonly startRunner: (place: RunnerPlace) => Promise<SelectionRunner>;
  /** The Python interpreter if neither a setting nor the Python extension names one. */
  readonly defaultPython: string;
  /** The folder of the result panel's script and style. */
  readonly files: Uri;
}

export interface SessionContext extends SessionServices {
  readonly session: ClusterSession;
  readonly screen: Screen;
  /** Stores the mark of the session that this workspace is connected to. */
  readonly runs: Memento;
  readonly clock: Clock;
  readonly log: Log;
}
