import { isRecord } from "../../base/json.ts";

/** True if a task or launch configuration contains the prefix of the extension's commands anywhere. */
export const callsCommands = (section: unknown, extension: string): boolean =>
  JSON.stringify([section]).includes(`${extension}.`);

/**
 * True if a task or launch configuration may start a debug session without the user. The configuration may run a
 * command, and any command may start a session. A `serverReadyAction` may start one, too.
 */
export function startsSessions(section: unknown): boolean {
  if (typeof section === "string") return section.includes("${command:");
  if (Array.isArray(section)) return section.some(startsSessions);
  if (!isRecord(section)) return false;
  // An input of the type "command" runs a command. `startDebugging` is an action of `serverReadyAction`.
  if (section["type"] === "command" || section["action"] === "startDebugging") return true;
  return Object.values(section).some(startsSessions);
}
