import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  clusterErrorMessage,
  explainedError,
  failedItemsText,
  isRefusal,
  problemsButton,
} from "../../../src/editor/errorTexts.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import { inText } from "./screenFixture.ts";
import { missing } from "./sessionFixture.ts";

const forbidden: ClusterError = {
  ...{ kind: "forbidden", verb: "create", resource: "pods", namespace: "jobs", detail: "no" },
};
const unreachable: ClusterError = {
  ...{ kind: "unreachable", server: "https://dev", detail: "refused", requestSent: false },
};

describe("message about a failed task", () => {
  test("names the task, and separates its sentences with one space", () => {
    const { text, action } = clusterErrorMessage("Cannot read", missing, inText);
    assert.match(text, /^Cannot read: the API server found no x named "x"\.( [A-Z"][^ ].*)?$/);
    assert.equal(/ {2}| $/.test(text), false);
    assert.equal(action, undefined);
  });

  test("offers the command for its advice", () => {
    const of = (error: ClusterError): readonly string[] => {
      const { action } = clusterErrorMessage("Cannot read", error, inText);
      return action === undefined ? [] : [inText(action.title), action.command];
    };
    assert.deepEqual(of(unreachable)[0], "Reconnect");
    assert.match(of(unreachable)[1] ?? "", /^sparkK8s\..*reconnect$/i);
    assert.deepEqual(
      of({ kind: "configuration", problem: "noKubeconfig", detail: "" })[0],
      "Choose Cluster",
    );
    assert.deepEqual(of(forbidden), []);
  });
});

test("an error inside another text begins with a capital letter", () => {
  const text = explainedError(missing, inText);
  assert.match(text, /^The API server found no x named "x"\./);
  assert.equal(/ {2}| $/.test(text), false);
  const long = explainedError(forbidden, inText);
  assert.ok(long.split(/\. |\.$/).length > 2, long);
});

test("only missing permissions are a refusal", () => {
  assert.deepEqual([forbidden, missing, unreachable].map(isRefusal), [true, false, false]);
});

test("reasons that differ only in names count once", () => {
  const once = failedItemsText("2 of 3 pods were not deleted", ['"a" is gone.', '"b" is gone.']);
  assert.equal(inText(once), '2 of 3 pods were not deleted. "b" is gone.');
  const several = failedItemsText("2 of 3 pods were not deleted", ["Forbidden.", "Gone."]);
  assert.equal(
    inText(several),
    "2 of 3 pods were not deleted, for 2 reasons. The first: Forbidden.",
  );
});

test("the button of one problem shows the log", () => {
  assert.deepEqual([1, 2].map(problemsButton).map(inText), ["Show Log", "Show All 2"]);
});
