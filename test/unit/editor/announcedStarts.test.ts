import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AnnouncedStarts } from "../../../src/editor/submit/announcedStarts.ts";

interface NamedTask {
  readonly name: string;
  readonly scope: undefined;
  readonly definition: { readonly type: string; readonly [member: string]: unknown };
}

const task = (name: string, members: object = {}): NamedTask => ({
  name,
  scope: undefined,
  definition: { type: "spark", application: "a.py", label: name, ...members },
});

const announcer = (now: () => number = () => 0) => new AnnouncedStarts<NamedTask>({ now });

describe("the announced task", () => {
  test("starts in place of a profile with equal members, once", () => {
    const announced = announcer();
    const [profile, copy] = [task("orders", { _key: "1" }), task("orders 12:22")];
    announced.announce(copy, true);
    assert.equal(announced.take(profile).task, copy);
    assert.deepEqual(announced.take(profile), { task: profile, isRequested: false });
  });

  test("needs no confirmation if the user requested it", () => {
    const announced = announcer();
    const profile = task("orders");
    for (const isRequested of [true, false]) {
      announced.announce(profile, isRequested);
      assert.equal(announced.take(task("orders")).isRequested, isRequested);
    }
  });

  test("stays for its own start if another task starts first", () => {
    const announced = announcer();
    const [other, copy] = [task("other", { image: "i:1" }), task("orders 12:22")];
    announced.announce(copy, true);
    assert.deepEqual(announced.take(other), { task: other, isRequested: false });
    assert.equal(announced.take(copy).task, copy);
  });

  test("is not lost when another one is announced before it starts", () => {
    const [profile, copy] = [task("orders"), task("orders 12:22")];
    for (const starting of [
      [profile, copy],
      [copy, profile],
    ]) {
      const announced = announcer();
      announced.announce(profile, true);
      announced.announce(copy, true);
      for (const one of starting) {
        const { task: taken, isRequested } = announced.take(task(one.name));
        assert.deepEqual([taken, isRequested], [one, true]);
      }
    }
  });

  test("does not start after 2 minutes, or if it failed to start", () => {
    let now = 0;
    const announced = announcer(() => now);
    const [profile, copy] = [task("orders"), task("orders 12:22")];
    announced.announce(copy, true);
    now = 120_001;
    assert.deepEqual(announced.take(profile), { task: profile, isRequested: false });
    announced.announce(copy, true);
    announced.forget(copy);
    assert.deepEqual(announced.take(profile), { task: profile, isRequested: false });
  });
});
