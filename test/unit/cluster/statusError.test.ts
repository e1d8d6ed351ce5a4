import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Redactor } from "../../../src/cluster/redactor.ts";
import {
  errorOf,
  isDisruptionBudget,
  isStatus,
  refusalOf,
  statusMessageOf,
  type RequestSubject,
} from "../../../src/cluster/statusError.ts";

const subject: RequestSubject = { verb: "create", resource: "pods", namespace: "ns", name: "one" };

/** Maps an error response to the request `subject`, given its status and body. */
const mapped = (
  status: number,
  body?: unknown,
  more: {
    readonly detail?: string;
    readonly asked?: RequestSubject;
    readonly retryAfterMs?: number;
  } = {},
) => {
  const { detail = "no", asked = subject, retryAfterMs } = more;
  const redactor = new Redactor();
  redactor.learn("s3cr3t-token");
  return errorOf({ status, detail, body, retryAfterMs }, asked, "https://server", redactor);
};
const withCauses = (...causes: readonly object[]) => ({ kind: "Status", details: { causes } });

describe("the error of a refused request", () => {
  for (const status of [400, 413, 422]) {
    test(`${status} is an invalid request with its redacted causes`, () => {
      const body = withCauses(
        { reason: "FieldValueInvalid", field: "spec.a", message: "got s3cr3t-token" },
        { reason: "FieldValueRequired", field: "spec.b" },
        { message: "wrong" },
        {},
      );
      assert.deepEqual(mapped(status, body), {
        kind: "invalid",
        detail: "no",
        causes: [
          { field: "spec.a", message: "got *********(redacted)" },
          { field: "spec.b", message: "FieldValueRequired" },
          { field: "", message: "wrong" },
          { field: "", message: "" },
        ],
      });
      assert.deepEqual(mapped(status), { kind: "invalid", detail: "no", causes: [] });
    });
  }

  test("401 is unauthorized at the server", () => {
    assert.deepEqual(mapped(401), {
      kind: "unauthorized",
      server: "https://server",
      detail: "no",
    });
  });

  for (const [detail, asked, verb] of [
    ["no", subject, "create"],
    [
      'pods "one" is forbidden: User "u" cannot get resource "pods" in API group "" in the namespace "ns"',
      subject,
      "get",
    ],
    [
      'pods "one" is forbidden: User "u" cannot get resource "pods/exec" in API group "" in the namespace "ns"',
      subject,
      "create",
    ],
    [
      'pods "one" is forbidden: User "u" cannot create resource "pods/exec" in API group "" in the namespace "ns"',
      { ...subject, verb: "get", resource: "pods/exec" },
      "create",
    ],
    [
      'pods "one" is forbidden: User "u" cannot delete resource "pods" in API group "" in the namespace "ns"',
      subject,
      "create",
    ],
  ] as const) {
    test(`403 misses the permission to ${verb} ${asked.resource}: ${detail}`, () => {
      assert.deepEqual(mapped(403, undefined, { detail, asked }), {
        kind: "forbidden",
        verb,
        resource: asked.resource,
        namespace: "ns",
        detail,
      });
    });
  }

  test("404 names the missing object, or its missing namespace", () => {
    const missing = (kind: string, name: string): unknown =>
      mapped(404, { kind: "Status", details: { kind, name } });
    const object = { kind: "notFound", resource: "pods", name: "one", detail: "no" };
    assert.deepEqual(mapped(404), object);
    assert.deepEqual(missing("pods", "two"), object);
    assert.deepEqual(missing("namespaces", ""), object);
    assert.deepEqual(missing("namespaces", "ns"), {
      ...object,
      resource: "namespaces",
      name: "ns",
    });
  });

  test("409 is a conflict", () => {
    assert.deepEqual(mapped(409), {
      kind: "conflict",
      resource: "pods",
      name: "one",
      detail: "no",
    });
  });

  test("429 is throttled, or protected by a disruption budget", () => {
    const body = withCauses({ reason: "Other" }, { reason: "DisruptionBudget" });
    assert.deepEqual(mapped(429, body), {
      kind: "protected",
      resource: "pods",
      name: "one",
      detail: "no",
    });
    assert.deepEqual(mapped(429, withCauses({ reason: "Other" }), { retryAfterMs: 7000 }), {
      kind: "throttled",
      retryAfterMs: 7000,
      detail: "no",
    });
  });

  test("410 and a resource version that is too large are expired", () => {
    const expired = { kind: "expired", detail: "no" };
    assert.deepEqual(mapped(410), expired);
    assert.deepEqual(mapped(504, withCauses({ reason: "ResourceVersionTooLarge" })), expired);
  });

  for (const status of [300, 402, 405, 500, 504]) {
    test(`${status} is a bad response`, () => {
      assert.deepEqual(mapped(status), { kind: "badResponse", status, detail: "no" });
    });
  }
});

describe("the Status of an ERROR event", () => {
  test("has a code, a message and a time to wait", () => {
    const status = {
      code: 429,
      message: "slow down",
      reason: "TooManyRequests",
      details: { retryAfterSeconds: 3 },
    };
    assert.deepEqual(refusalOf(status), {
      status: 429,
      detail: "slow down",
      body: status,
      retryAfterMs: 3000,
    });
  });

  test("is a 500 without a code, and has the reason without a message", () => {
    const unknown = "the server ended the watch without a reason";
    for (const [status, detail] of [
      [{ reason: "Expired" }, "Expired"],
      [{}, unknown],
      [undefined, unknown],
      ["text", unknown],
    ] as const) {
      assert.deepEqual(refusalOf(status), {
        status: 500,
        detail,
        body: status,
        retryAfterMs: undefined,
      });
    }
  });
});

test("the message of a Status is preferred to its reason", () => {
  assert.equal(statusMessageOf({ message: "m", reason: "r" }), "m");
  assert.equal(statusMessageOf({ message: "", reason: "r" }), "r");
  assert.equal(statusMessageOf({ message: 1 }), undefined);
});

test("a Status is recognized by its kind", () => {
  assert.equal(isStatus({ kind: "Status" }), true);
  for (const other of [{ kind: "Pod" }, {}, null, "Status"]) assert.equal(isStatus(other), false);
});

test("a disruption budget is recognized by a cause", () => {
  assert.equal(isDisruptionBudget(withCauses({ reason: "DisruptionBudget" })), true);
  assert.equal(isDisruptionBudget(withCauses({ message: "DisruptionBudget" })), false);
  assert.equal(isDisruptionBudget({ reason: "DisruptionBudget" }), false);
});
