import type { Clock } from "../../engine/ports/clock.ts";
import type { ForwardRequest, PortForward } from "../../engine/ports/channels.ts";
import type { PythonDebugger } from "../../spark/submit/debug/debugRequest.ts";
import type { Result } from "../../base/result.ts";
import type { Log } from "../log.ts";
import type { Submissions } from "../submit/registerSubmit.ts";

/** Archives of debugpy for images. `storage/` implements it. */
export interface Debuggers {
  /** From a folder with the package `debugpy`. */
  fromFolder(folder: string): Promise<PythonDebugger | undefined>;
  /** A version for all Python versions of images, if it was downloaded before. */
  downloaded(): Promise<PythonDebugger | undefined>;
  /** The error completes a sentence. */
  download(signal: AbortSignal): Promise<Result<PythonDebugger, string>>;
}

export interface DebugContext {
  readonly run: Submissions["debug"];
  readonly isRequested: Submissions["isRequestedSession"];
  readonly loadDebuggers: () => Promise<Debuggers>;
  readonly forward: (request: ForwardRequest) => Promise<PortForward>;
  readonly clock: Clock;
  readonly log: Log;
}
