import type { DebugConfiguration, DebugSession } from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import type { MessageText } from "../../base/message.ts";
import type { ClusterError } from "../../engine/clusterError.ts";
import type { AccessConnection } from "../../engine/ports/connection.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import type { ForwardRequest, PortForward } from "../../engine/ports/channels.ts";
import type { PythonDebugger } from "../../spark/submit/debug/debugRequest.ts";
import type { Result } from "../../base/result.ts";
import type { Log } from "../log.ts";
import type { SubmitCommands } from "../submit/submitCommands.ts";

/** Archives of debugpy for images. `storage/` implements it. */
export interface Debuggers {
  /** From a folder with the package `debugpy`. */
  fromFolder(folder: string): Promise<PythonDebugger | undefined>;
  /** A version for all Python versions of images, if it was downloaded before. */
  downloaded(): Promise<PythonDebugger | undefined>;
  /** The error completes a sentence. */
  download(signal: AbortSignal): Promise<Result<PythonDebugger, string>>;
}

/** Parts of VS Code and of the editor that debug sessions need. */
export interface DebugScreen {
  readonly show: (text: MessageText) => string;
  readonly explain: (error: ClusterError) => string;
  /** Why a connection is read-only; undefined if it is not. */
  readonly refusalIn: (connection: AccessConnection) => string | undefined;
  /** False if no extension debugs the language, which is then shown. */
  readonly hasExtension: (language: "python" | "java") => Promise<boolean>;
  /** The debugger to send with the application of a definition; undefined: none, which was shown. */
  readonly pythonDebugger: (definition: unknown) => Promise<PythonDebugger | undefined>;
  readonly sessions: DebugSessions;
}

/** The debug sessions of the window. */
export interface DebugSessions {
  readonly onDidStart: (listener: (session: DebugSession) => void) => Disposable;
  readonly onDidTerminate: (listener: (session: DebugSession) => void) => Disposable;
  /** Starts a session below `parent`. False if it was not started. */
  readonly start: (parent: DebugSession, configuration: DebugConfiguration) => Thenable<boolean>;
}

export interface DebugContext {
  readonly run: SubmitCommands["debug"];
  readonly isRequested: SubmitCommands["isRequestedSession"];
  readonly loadDebuggers: () => Promise<Debuggers>;
  readonly forward: (request: ForwardRequest) => Promise<PortForward>;
  readonly clock: Clock;
  readonly log: Log;
}
