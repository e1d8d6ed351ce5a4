import type { Memento, workspace } from "vscode";
import { disposable, type Disposable } from "../../base/disposable.ts";
import { keptMarksKey } from "../ids.ts";
import { storedList } from "../stored.ts";
import { startTimer } from "../ui/startTimer.ts";

/** True if applications are marked for saving. */
const hasMarks = (memory: Memento): boolean => storedList(memory, keptMarksKey).length > 0;

/**
 * Calls `resume` if there are marks and the workspace is trusted, now or later. In an untrusted workspace, the
 * extension contacts no cluster.
 */
export function resumeWhenTrusted(
  memory: Memento,
  trust: Pick<typeof workspace, "isTrusted" | "onDidGrantWorkspaceTrust">,
  resume: () => void,
): Disposable {
  const check = (): void => {
    if (hasMarks(memory)) resume();
  };
  if (trust.isTrusted) check();
  return trust.onDidGrantWorkspaceTrust(check);
}

// In ms. Activation does no I/O, so wait until VS Code has started.
const resumeMs = 3_000;

/**
 * Calls `open` after 3 s if applications are marked. `open` loads the bundle that saves their logs, so logs are saved
 * even if the tree is not visible in this window.
 */
export function resumeKeeping(
  memory: Memento,
  open: () => Promise<void>,
  onError: (error: unknown) => void,
): Disposable {
  if (!hasMarks(memory)) return disposable(() => undefined);
  return startTimer(() => {
    open().catch(onError);
  }, resumeMs);
}
