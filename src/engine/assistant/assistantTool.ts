import type { JsonObject, Fields } from "../../base/json.ts";
import type { Result } from "../../base/result.ts";
import type { ClusterError } from "../clusterError.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connection } from "../ports/connection.ts";
import type { LocalFiles } from "../../spark/submit/conf/localFiles.ts";

/** The program that runs the tools for an assistant: the editor, or a server of the Model Context Protocol. */
export interface AssistantHost {
  readonly clock: Clock;
  /**
   * Returns a connection, which the host owns and disposes. If `context` is undefined, connects to the selected
   * context.
   */
  readonly connect: (
    context: string | undefined,
    signal: AbortSignal,
  ) => Promise<Result<Connection, ClusterError>>;
  /** Returns the namespaces to list if a call names none. An undefined entry means all namespaces. */
  readonly namespacesOf: (connection: Connection) => readonly (string | undefined)[];
  /** The files that a submission may name in a preview. */
  readonly files: LocalFiles;
  readonly workingDirectory: string;
  readonly userName: string;
  readonly randomBytes: (count: number) => Uint8Array;
  /**
   * Checks the guards of the context, then prompts the user. Returns `approved` only if the user accepts this prompt.
   * Call it right before the change.
   */
  readonly mayChange: (
    connection: Connection,
    question: AssistantQuestion,
    signal: AbortSignal,
  ) => Promise<ChangeDecision>;
}

/**
 * A confirmation prompt before a change. It is always in English, because assistants choose the language of
 * their replies.
 */
export interface AssistantQuestion {
  /** The change, as on its button: `Stop "etl"`. */
  readonly action: string;
  /** The affected objects. */
  readonly detail: string;
  /** Identifies the change; the same text means the same change of the same objects. */
  readonly id: string;
}

/**
 * The decision about a change. `later`: the host prompts the user, and then calls the tool again. `refused`: a guard of
 * the context blocks the change.
 */
export type ChangeDecision =
  | { readonly kind: "approved" | "declined" | "later" }
  | { readonly kind: "refused"; readonly reason: string };

/** A failed call. The text states the failed action, the reason and the remedy. */
export interface ToolFailure {
  readonly text: string;
}

export interface AssistantTool {
  /** Unique; letters, digits and `_`. */
  readonly name: string;
  readonly title: string;
  /** Tells the model when to use the tool and what the tool returns. */
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input: JsonObject;
  /** JSON Schema of the tool's result, an object. */
  readonly output: JsonObject;
  /** `change`: the tool prompts the user to confirm the change. */
  readonly effect: "read" | "change";
  /** Runs the tool. Does not validate the arguments against `input`: a field with another type counts as missing. */
  readonly call: (
    host: AssistantHost,
    given: Fields,
    signal: AbortSignal,
  ) => Promise<Result<JsonObject, ToolFailure | "later">>;
}
