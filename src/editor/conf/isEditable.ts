import { documentScheme, logScheme } from "../ids.ts";
import { rulePageScheme } from "./confIds.ts";

const ownSchemes: ReadonlySet<string> = new Set([documentScheme, logScheme, rulePageScheme]);
const viewSchemes: ReadonlySet<string> = new Set(["git", "output", "vscode-scm", "review", "pr"]);

/**
 * True if the user can change a document of this scheme. In a read-only document, such as an effective conf, a finding
 * cannot be fixed. `isWritable`: the result of VS Code's `isWritableFileSystem`; undefined if unknown.
 */
export const isEditable = (scheme: string, isWritable: boolean | undefined): boolean =>
  isWritable !== false && !ownSchemes.has(scheme) && !viewSchemes.has(scheme);
