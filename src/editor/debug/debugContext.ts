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

/** Provides archives of debugpy to send with applications. `storage/` implements it. */
export interface Debuggers {
  /** Archives a folder with the package `debugpy`. Undefined if the folder does not contain a usable one. */
  fromFolder(folder: string): Promise<PythonDebugger | undefined>;
  /** Returns the downloaded debugpy, which supports all Python versions of images. Undefined before the download. */
  downloaded(): Promise<PythonDebugger | undefined>;
  /** Downloads debugpy. An error is text that can follow the colon in "Cannot download debugpy: …". */
  download(signal: AbortSignal): Promise<Result<PythonDebugger, string>>;
}

/** The parts of the window that debug sessions use. */
export interface DebugScreen {
  readonly show: (text: MessageText) => string;
  readonly explain: (error: ClusterError) => string;
  /** Returns the reason why a connection is read-only; undefined if it is not. */
  readonly refusalIn: (connection: AccessConnection) => string | undefined;
  /** Returns true if an installed extension debugs the language. Otherwise shows a message and returns false. */
  readonly hasExtension: (language: "python" | "java") => Promise<boolean>;
  /**
   * Returns the debugger to send with the application of a definition. Undefined if there is none, or if its download
   * failed; the function then has shown the error.
   */
  readonly pythonDebugger: (definition: unknown) => Promise<PythonDebugger | undefined>;
  readonly sessions: DebugSessions;
}

/** The debug sessions of the window. */
export interface DebugSessions {
  readonly onDidStart: (listener: (session: DebugSession) => void) => Disposable;
  readonly onDidTerminate: (listener: (session: DebugSession) => void) => Disposable;
  /** Starts a child session of `parent`. Returns false if VS Code did not start it. */
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
