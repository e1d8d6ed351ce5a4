import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { msg } from "../../../src/base/message.ts";
import { fixFor, offerNext, type AfterCheck } from "../../../src/editor/submit/offerNext.ts";
import { inText, scriptedScreen } from "./screenFixture.ts";

async function offered(
  [errors, others]: readonly [number, number],
  answer: string | undefined,
  more: Partial<AfterCheck> = {},
) {
  const done: string[] = [];
  const act = (name: string) => () => {
    done.push(name);
    return Promise.resolve();
  };
  const screen = scriptedScreen(answer);
  const after = {
    ...{ submit: act("submit"), fix: act("fix"), save: act("save"), show: act("show") },
    ...more,
  };
  await offerNext({ name: "etl", at: 0, summary: { errors, others } }, after, screen);
  const [text = "", ...buttons] = screen.shown[0]?.split("\n") ?? [];
  return { text, buttons, done };
}

describe("next actions after a check", () => {
  test("are offered as an error, a warning or an information", async () => {
    const texts = async (errors: number, others: number) =>
      (await offered([errors, others], undefined)).text;
    assert.match(await texts(1, 3), /^error: Checked "etl" at .+: 1 error\./);
    assert.match(await texts(2, 0), /^error: Checked "etl" at .+: 2 errors\./);
    assert.match(await texts(0, 1), /^warning: Checked "etl" at .+: 1 possible problem\./);
    assert.match(await texts(0, 2), /^warning: Checked "etl" at .+: 2 possible problems\./);
    assert.match(await texts(0, 0), /^info: Checked "etl" at .+: no problems\./);
  });

  test("run when their button is pressed", async () => {
    assert.deepEqual((await offered([0, 0], "Submit")).done, ["submit"]);
    assert.deepEqual((await offered([1, 0], "Fix")).done, ["fix"]);
    assert.deepEqual((await offered([1, 0], undefined)).done, []);
  });

  test("have no fix without a place, and no button to save a stored submission", async () => {
    const { buttons } = await offered([1, 0], undefined, { fix: undefined, save: undefined });
    assert.equal(buttons.includes("[Fix]"), false);
    assert.equal(buttons.includes("[Save as Run Profile…]"), false);
  });

  test("name another fix", async () => {
    const { buttons } = await offered([1, 0], undefined, { fixTitle: msg("Edit Command") });
    assert.equal(buttons.includes("[Edit Command]"), true);
  });
});

describe("fix of a check", () => {
  const other = { fix: () => Promise.resolve(), fixTitle: msg("Edit Command") };

  test("copies the Role of a missing permission", async () => {
    const screen = scriptedScreen();
    const { fix, fixTitle } = fixFor(
      [
        { severity: "warning", role: "another" },
        { severity: "error", role: "kind: Role" },
      ],
      other,
      screen,
    );
    await fix?.();
    assert.deepEqual([inText(fixTitle), screen.shown], ["Copy Role", ["copied: kind: Role"]]);
  });

  test("is the given one if the first error needs no Role", () => {
    const findings = [{ severity: "error" }, { severity: "warning", role: "a" }] as const;
    assert.equal(fixFor(findings, other, scriptedScreen()), other);
    assert.equal(fixFor([], other, scriptedScreen()), other);
  });
});
