import type { TextDocument } from "vscode";
import type { Event } from "../../base/emitter.ts";
import type { Clock } from "../../engine/ports/clock.ts";
import { start } from "../../engine/running.ts";

// The maximum wait for an automatic save, in ms.
const maxSaveMs = 5_000;

type SavedDocument = Pick<TextDocument, "isDirty" | "save">;

/**
 * Saves a document that has unsaved changes, within 5 s. Returns false if VS Code cannot save it; VS Code then shows
 * the reason. During an automatic save, `TextDocument.save` returns false before the text is stored.
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
