import type { Uri } from "vscode";

/** Identifies a profile; the command argument of tree rows and CodeLenses. */
export interface ProfileName {
  readonly kind: "profile";
  readonly name: string;
  /** Its workspace folder; undefined for a profile of the workspace file or the user. */
  readonly folder: Uri | undefined;
}

export const isProfileName = (value: unknown): value is ProfileName =>
  typeof value === "object" && value !== null && "kind" in value && value.kind === "profile";
