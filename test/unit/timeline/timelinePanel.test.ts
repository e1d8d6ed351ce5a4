import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { pngBase64, timelineActionOf } from "../../../src/spark/timeline/timelinePanel.ts";

describe("a message of the timeline page", () => {
  test("is an action with nothing but its known members", () => {
    const target = { kind: "executor", id: "7", path: "../x" };
    assert.deepEqual(timelineActionOf({ kind: "open", target, command: "rm" }), {
      kind: "open",
      target: { kind: "executor", id: "7" },
    });
    assert.deepEqual(timelineActionOf({ kind: "open", target: { kind: "stage", key: "1.0" } }), {
      kind: "open",
      target: { kind: "stage", key: "1.0" },
    });
    for (const kind of ["ready", "saveSvg", "saveCsv"] as const) {
      assert.deepEqual(timelineActionOf({ kind, file: "/etc/x" }), { kind });
    }
  });

  test("saves an image only as PNG", () => {
    const image = "data:image/png;base64,AAAA";
    const action = timelineActionOf({ kind: "savePng", image });
    assert.deepEqual(action, { kind: "savePng", image });
    assert.equal(pngBase64(image), "AAAA");
    assert.equal(timelineActionOf({ kind: "savePng", image: "data:text/html,x" }), undefined);
  });

  test("is ignored in any other form", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (json) => {
        assert.equal(timelineActionOf(json), undefined);
        assert.equal(timelineActionOf({ kind: "open", target: json }), undefined);
      }),
    );
  });
});
