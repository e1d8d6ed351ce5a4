import type { Memento, workspace } from "vscode";
import { disposable, type Disposable } from "../../base/disposable.ts";
import { keptMarksKey } from "../ids.ts";

/** Whether there are applications whose logs are to be kept. */
const hasMarks = (memory: Memento): boolean =>
  memory.get<readonly unknown[]>(keptMarksKey, []).length > 0;

/** Calls what goes on keeping, where there are marks, once the workspace is trusted: before, no cluster is asked. */
export function resumeWhenTrusted(
  memory: Memento,
  trust: Pick<typeof workspace, "isTrusted" | "onDidGrantWorkspaceTrust">,
  resume: () => void,
): Disposable {
  const look = (): void => {
    if (hasMarks(memory)) resume();
  };
  if (trust.isTrusted) look();
  return trust.onDidGrantWorkspaceTrust(look);
}

// The editor starts meanwhile: activation itself does nothing.
const resumeMs = 3_000;

/** Opens what goes on keeping marked applications, if there are any, in a window that shows no tree, too. */
export function resumeKeeping(
  memory: Memento,
  open: () => Promise<void>,
  onError: (error: unknown) => void,
): Disposable {
  if (!hasMarks(memory)) return disposable(() => undefined);
  const later = setTimeout(() => {
    open().catch(onError);
  }, resumeMs);
  return disposable(() => {
    clearTimeout(later);
  });
}
