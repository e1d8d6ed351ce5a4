import type { TextDocument } from "vscode";
import type { Event } from "../../base/emitter.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { start } from "../../engine/running.ts";

// The maximum wait for an automatic save.
const maxSaveMs = 5_000;

type SavedDocument = Pick<TextDocument, "isDirty" | "save">;

/**
 * Saves a document that has unsaved changes, within 5 s. False if VS Code cannot save it; VS Code then says why. While
 * VS Code saves a document automatically, `TextDocument.save` returns false before the text is stored.
 */
export async function saveDocument(
  document: SavedDocument,
  onDidSave: Event<SavedDocument>,
  clock: Pick<Clock, "sleep">,
): Promise<boolean> {
  const isDirty = (): boolean => document.isDirty;
  if (!isDirty()) return true;
  const waiting = start((signal) => clock.sleep(maxSaveMs, signal));
  const listening = onDidSave((saved) => {
    if (saved === document) waiting.dispose();
  });
  try {
    if (!(await document.save()) && isDirty()) await waiting.done;
    return !isDirty();
  } finally {
    listening.dispose();
    waiting.dispose();
  }
}
