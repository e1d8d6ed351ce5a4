import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { reviewAccounts } from "../../../../src/engine/submit/accountRights.ts";
import type { AccessAttributes } from "../../../../src/engine/ports/accessReviews.ts";
import { describeRights } from "../../../../src/spark/submit/preflight/neededRights.ts";
import { fakeCluster, forbidden, type FakeContents } from "../fakeCluster.ts";

const soon = (): AbortSignal => AbortSignal.timeout(5_000);

const review = async (accounts: readonly string[], can: FakeContents["can"], signal = soon()) => {
  const { rights, asked } = fakeCluster(can === undefined ? {} : { can });
  const lacking = await reviewAccounts(accounts, "jobs", rights, signal);
  return { lacking: [...lacking].map(([name, rest]) => [name, describeRights(rest)]), asked };
};

const isOf = ({ subject }: AccessAttributes, account: string): boolean =>
  subject?.user === `system:serviceaccount:jobs:${account}`;

describe("the rights of service accounts", () => {
  test("are what a driver needs and the account lacks", async () => {
    const { lacking } = await review(
      ["spark", "default"],
      (asked) => isOf(asked, "spark") || asked.verb === "get",
    );
    assert.deepEqual(lacking, [
      ["spark", ""],
      ["default", "pods (create, list, watch, delete, patch), configmaps (create)"],
    ]);
  });

  test("are reviewed in the namespace, with the groups of the account", async () => {
    const seen: AccessAttributes[] = [];
    await review(["spark"], (attributes) => {
      seen.push(attributes);
      return true;
    });
    assert.deepEqual(new Set(seen.map(({ namespace }) => namespace)), new Set(["jobs"]));
    assert.ok(seen.every(({ subject }) => subject?.groups.includes("system:serviceaccounts:jobs")));
  });

  test("are unknown if the user may not review others; no further account is asked about", async () => {
    const { lacking, asked } = await review(["a", "b", "c"], () =>
      forbidden("create", "subjectaccessreviews"),
    );
    assert.deepEqual(lacking, []);
    assert.equal(asked.length, 7);
  });

  test("are reviewed for at most 20 accounts", async () => {
    const many = Array.from({ length: 50 }, (_, index) => `account-${index}`);
    const { lacking, asked } = await review(many, undefined);
    assert.equal(lacking.length, 20);
    assert.equal(asked.length, 140);
  });

  test("are those known so far after an abort", async () => {
    const closed = new AbortController();
    const { lacking } = await review(
      ["a", "b"],
      (attributes) => {
        if (isOf(attributes, "a")) return true;
        closed.abort();
        throw new Error("aborted");
      },
      closed.signal,
    );
    assert.deepEqual(lacking, [["a", ""]]);
  });
});
