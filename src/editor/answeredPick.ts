import { DisposableStore, type Disposable } from "../base/disposable.ts";
import type { Event } from "../base/emitter.ts";

interface AnsweredPick extends Disposable {
  readonly onDidAccept: Event<void>;
  readonly onDidHide: Event<void>;
  show(): void;
  hide(): void;
}

/**
 * Shows a quick pick, and disposes it when it is hidden. Calls `answer` on Enter and returns its result, or keeps the
 * pick open if the result is `"open"`. Returns undefined if the user cancels.
 */
export const answerInPick = <T extends object>(
  pick: AnsweredPick,
  answer: () => T | "open" | undefined,
): Promise<T | undefined> => {
  const owned = new DisposableStore();
  owned.add(pick);
  return new Promise((resolve) => {
    owned.add(
      pick.onDidAccept(() => {
        const answered = answer();
        if (answered === "open") return;
        resolve(answered);
        pick.hide();
      }),
    );
    owned.add(
      pick.onDidHide(() => {
        resolve(undefined);
        owned.dispose();
      }),
    );
    pick.show();
  });
};
