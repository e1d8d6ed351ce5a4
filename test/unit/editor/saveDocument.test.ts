import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { TextDocument } from "vscode";
import { saveDocument } from "../../../src/editor/ui/saveDocument.ts";
import { settle, VirtualClock } from "../engine/virtualClock.ts";

type Saved = Pick<TextDocument, "isDirty" | "save">;

/** Returns a document whose `save` runs this function and returns its result. */
function documentFixture(save: (document: { isDirty: boolean }) => boolean) {
  const clock = new VirtualClock();
  const listeners = new Set<(saved: Saved) => void>();
  const document = {
    isDirty: true,
    saves: 0,
    save() {
      document.saves += 1;
      return Promise.resolve(save(document));
    },
  };
  const result = saveDocument(
    document,
    (listener) => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
    clock,
  );
  const report = (saved: Saved): void => {
    for (const listener of listeners) listener(saved);
  };
  return { clock, document, listeners, report, result };
}

describe("saving a document", () => {
  test("returns true once it is saved", async () => {
    const { result, listeners } = documentFixture((document) => {
      document.isDirty = false;
      return true;
    });
    assert.equal(await result, true);
    assert.equal(listeners.size, 0);
  });

  test("waits for an automatic save that makes VS Code return false", async () => {
    const { clock, document, result, report } = documentFixture(() => false);
    let answer: boolean | undefined;
    void result.then((value) => (answer = value));
    await settle();
    report({ isDirty: false, save: () => Promise.resolve(true) });
    await clock.advance(4_000);
    assert.equal(answer, undefined);
    document.isDirty = false;
    report(document);
    assert.equal(await result, true);
    assert.equal(document.saves, 1);
  });

  test("returns false if VS Code cannot save it", async () => {
    const { clock, result } = documentFixture(() => false);
    await clock.advance(5_000);
    assert.equal(await result, false);
  });
});
