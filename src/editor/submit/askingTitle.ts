import { assertNever } from "../../base/assertNever.ts";
import { msg, type Message } from "../../base/message.ts";

/** The command that prompts for the settings of a submission. */
export type AskingCommand =
  | "submit"
  | "newProfile"
  | "check"
  | "preview"
  | "compare"
  | "runFile"
  | "debugFile"
  | "runOnSave"
  | "showSent"
  | "startSession"
  | "openShell";

/** Returns the command's name, as in the command palette. */
export function commandTitle(asking: AskingCommand): Message {
  switch (asking) {
    case "submit":
      return msg("Submit Application");
    case "newProfile":
      return msg("New Run Profile");
    case "check":
      return msg("Check Before Submitting");
    case "preview":
      return msg("Preview Submission");
    case "compare":
      return msg("Compare With Last Submission");
    case "runFile":
      return msg("Run on Cluster");
    case "debugFile":
      return msg("Debug on Cluster");
    case "runOnSave":
      return msg("Run on Save");
    case "showSent":
      return msg("Show What Is Sent");
    case "startSession":
      return msg("Start Spark Session");
    case "openShell":
      return msg("Open Spark Shell");
    default:
      return assertNever(asking);
  }
}

/** Returns the title of the command's prompts, with the context and the namespace. */
export function askingTitle(asking: AskingCommand, context: string, namespace: string): Message {
  if (asking === "submit") return msg`Submit Application to "${context}", namespace "${namespace}"`;
  if (asking === "newProfile")
    return msg`New Run Profile for "${context}", namespace "${namespace}"`;
  return msg`${commandTitle(asking)}: "${context}", namespace "${namespace}"`;
}
