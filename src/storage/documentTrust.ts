import { realpath } from "node:fs/promises";
import { isAbsolute, relative } from "node:path";
import type { AgreeToTrust, UserCredential } from "../engine/ports/connection.ts";
import type { ResolvedEntry } from "../spark/submit/conf/conf.ts";

/** The document of a submission, and the user's consent to the values that it chooses. */
export interface DocumentTrust {
  /** The document's text before variable substitution. */
  readonly written: string;
  /** True if the file is inside the workspace after symbolic links are resolved. */
  readonly isOfWorkspace: (path: string) => Promise<boolean>;
  readonly agree: AgreeToTrust;
}

/** The source of a configuration value. */
export type ValuePlace =
  | { readonly kind: "conf"; readonly entry: ResolvedEntry }
  | { readonly kind: "environment"; readonly name: string }
  | { readonly kind: "awsProfile"; readonly name: string }
  | { readonly kind: "file"; readonly path: string };

/**
 * Returns the user's credential that a place supplies; undefined if the document or a conf file in the workspace
 * contains the value.
 */
export async function userCredential(
  place: ValuePlace,
  { written, isOfWorkspace }: DocumentTrust,
): Promise<UserCredential | undefined> {
  if (place.kind !== "conf") return place;
  const { value, origin } = place.entry;
  if (origin.kind === "file") {
    const { path } = origin;
    if (!(await isOfWorkspace(path))) return { kind: "file", path };
    return value.includes("${") ? { kind: "variable" } : undefined;
  }
  return value.includes("${") || !written.includes(value) ? { kind: "variable" } : undefined;
}

/** True if the document chose the value. A conf file outside the workspace belongs to the user. */
export const isChosenByDocument = async (
  place: ValuePlace,
  { isOfWorkspace }: DocumentTrust,
): Promise<boolean> =>
  place.kind === "conf" &&
  (place.entry.origin.kind !== "file" || isOfWorkspace(place.entry.origin.path));

/** True if the path, after symbolic links are resolved, is inside one of the folders. */
export async function isInside(path: string, folders: readonly string[]): Promise<boolean> {
  const real = await realPathOf(path);
  if (real === undefined) return false;
  for (const folder of folders) {
    const way = relative((await realPathOf(folder)) ?? folder, real);
    if (way !== "" && !/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way)) return true;
  }
  return false;
}

// Undefined if the path cannot be resolved, for example if it does not exist.
const realPathOf = (path: string): Promise<string | undefined> =>
  realpath(path).catch(() => undefined);
