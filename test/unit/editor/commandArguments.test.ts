import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { argumentDecoders } from "../../../src/editor/commandArguments.ts";

class File {
  readonly path = "/a.py";
}
class Place {
  readonly uri = new File();
}

const decode = argumentDecoders({
  isUri: (value) => value instanceof File,
  isLocation: (value) => value instanceof Place,
} as Parameters<typeof argumentDecoders>[0]);
const [file, place] = [new File(), new Place()];
const row = (id: string) => ({ kind: "driver", id, key: "k", uid: id });
const run = (id: string) => ({ kind: "run", id });
const profile = { kind: "profile", name: "orders", folder: undefined };

/** Invalid arguments that key bindings and other extensions may pass. */
const strangers = [undefined, null, 7, "text", {}, [], { path: "/a.py" }, { id: "x" }];

describe("arguments of a command", () => {
  test("are the clicked row, or all selected rows", () => {
    assert.deepEqual(decode.rows(row("a"), undefined), [row("a")]);
    assert.deepEqual(decode.rows(row("a"), []), [row("a")]);
    assert.deepEqual(decode.rows(row("a"), [row("b"), row("a")]), [row("b"), row("a")]);
    assert.deepEqual(decode.rows(row("a"), [row("b"), null, { kind: "driver" }]), [row("b")]);
    assert.equal(decode.rows("selection", undefined), "selection");
    for (const stranger of strangers) assert.deepEqual(decode.rows(stranger, undefined), []);
  });

  test("are runs, and no rows of another view", () => {
    assert.deepEqual(decode.runs(run("a"), undefined), [run("a")]);
    assert.deepEqual(decode.runs(run("a"), [run("a"), row("b"), run("c")]), [run("a"), run("c")]);
    assert.equal(decode.runs("selection", [run("a")]), "selection");
    for (const stranger of [...strangers, row("a")]) {
      assert.deepEqual(decode.runs(stranger, undefined), []);
    }
  });

  test("are a file, a place in a document or a profile", () => {
    for (const one of [file, place, profile]) assert.equal(decode.target(one, undefined), one);
    for (const stranger of [...strangers, row("a")]) {
      assert.equal(decode.target(stranger, undefined), undefined);
    }
    assert.equal(decode.profile(profile, undefined), profile);
    for (const stranger of [...strangers, file]) {
      assert.equal(decode.profile(stranger, undefined), undefined);
    }
  });

  test("are undefined as a whole if one is of another type", () => {
    assert.equal(decode.line("spark-submit", undefined), "spark-submit");
    assert.equal(decode.line(7, undefined), undefined);
    assert.deepEqual(decode.place(file, 7), { uri: file, offset: 7 });
    assert.equal(decode.place(file, "7"), undefined);
    assert.equal(decode.place({ path: "/a.py" }, 7), undefined);
    assert.deepEqual(decode.rule("M-01", file), { code: "M-01", uri: file });
    assert.equal(decode.rule("M-01", "/a.py"), undefined);
    assert.equal(decode.rule(1, file), undefined);
  });
});
