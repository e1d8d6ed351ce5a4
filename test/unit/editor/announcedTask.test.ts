import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AnnouncedTask } from "../../../src/editor/submit/announcedTask.ts";

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

const announcer = (now: () => number = () => 0) => new AnnouncedTask<NamedTask>({ now });

describe("the announced task", () => {
  test("starts in place of a profile with equal members, once", () => {
    const announced = announcer();
    const [profile, copy] = [task("orders", { _key: "1" }), task("orders 12:22")];
    announced.announce(copy);
    assert.equal(announced.take(profile), copy);
    assert.equal(announced.take(profile), profile);
  });

  test("stays for its own start if another task starts first", () => {
    const announced = announcer();
    const [other, copy] = [task("other", { image: "i:1" }), task("orders 12:22")];
    announced.announce(copy);
    assert.equal(announced.take(other), other);
    assert.equal(announced.take(copy), copy);
  });

  test("does not start after 2 minutes, or if it failed to start", () => {
    let now = 0;
    const announced = announcer(() => now);
    const [profile, copy] = [task("orders"), task("orders 12:22")];
    announced.announce(copy);
    now = 120_001;
    assert.equal(announced.take(profile), profile);
    announced.announce(copy);
    announced.forget();
    assert.equal(announced.take(profile), profile);
  });
});
