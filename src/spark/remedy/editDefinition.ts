import { isRecord } from "../../base/json.ts";
import { applyEdits } from "../../base/textEdit.ts";
import { editProfile } from "../submit/profile/editProfile.ts";
import { addEntry, changeValue, removeEntry } from "../surfaces/fixes/entryEdits.ts";
import { readSurface, type Surface } from "../surfaces/surfaces.ts";
import type { DefinitionEdit } from "./remedy.ts";

/** The text that defines a run: a tasks.json with its run profile, a conf file, a command or a manifest. */
export interface DefinitionSource {
  readonly text: string;
  readonly surface: Surface;
  /**
   * The label of the run profile in the text, and the kubeconfig context that the run used. Undefined for other texts.
   */
  readonly profile?: { readonly label: string; readonly context: string | undefined } | undefined;
}

/** Returns the edited text. Undefined if an edit is impossible in this kind of text. */
export function editDefinition(
  source: DefinitionSource,
  edits: readonly DefinitionEdit[],
): string | undefined {
  const { text, surface, profile } = source;
  if (profile !== undefined) {
    const changes = edits.map((edit) =>
      edit.kind === "member"
        ? { key: edit.name, isMember: true, value: edit.value }
        : { key: edit.key, isMember: false, value: edit.kind === "set" ? edit.value : undefined },
    );
    return editProfile(text, profile.label, profile.context, changes);
  }
  let edited: string | undefined = text;
  for (const edit of edits)
    edited = edited === undefined ? undefined : editOnce(edited, surface, edit);
  return edited;
}

/**
 * Returns the edited members of a run profile that is in no file. Undefined if an edit is impossible. `context`: the
 * kubeconfig context that the run used.
 */
export function editMembers(
  members: Readonly<Record<string, unknown>>,
  context: string | undefined,
  edits: readonly DefinitionEdit[],
): Readonly<Record<string, unknown>> | undefined {
  const label = "run";
  const text = JSON.stringify({ tasks: [{ ...members, label }] });
  const edited = editDefinition({ text, surface: "profiles", profile: { label, context } }, edits);
  if (edited === undefined) return undefined;
  const file: unknown = JSON.parse(edited);
  const tasks = isRecord(file) ? file["tasks"] : undefined;
  const run: unknown = Array.isArray(tasks) ? tasks[0] : undefined;
  return isRecord(run) ? { ...run, label: members["label"] } : undefined;
}

function editOnce(text: string, surface: Surface, edit: DefinitionEdit): string | undefined {
  if (edit.kind === "member") return undefined;
  const entries = readSurface(text, surface).flatMap((document) => document.entries);
  const present = entries.findLast(({ key }) => key === edit.key);
  if (edit.kind === "unset") {
    const removal = present && removeEntry(text, surface, present);
    return removal && applyEdits(text, [removal]);
  }
  const { key, value } = edit;
  if (present !== undefined) {
    const change = changeValue(text, present, value);
    return change && applyEdits(text, [change]);
  }
  for (const entry of entries.filter(({ field }) => field === undefined).reverse()) {
    const addition = addEntry(text, surface, entry, key, value);
    if (addition !== undefined) return applyEdits(text, [addition]);
  }
  return undefined;
}
