// An API of the sandbox without a server, for tests of its request handlers.
import assert from "node:assert/strict";
import type { ApiContext } from "../../../../src/sandbox/api/context.ts";
import { History } from "../../../../src/sandbox/api/history.ts";
import { Kinds, type Kind } from "../../../../src/sandbox/api/kinds.ts";
import { Objects } from "../../../../src/sandbox/api/objects.ts";
import { Refusal } from "../../../../src/sandbox/api/refusal.ts";
import type { RequestTarget } from "../../../../src/sandbox/api/request.ts";
import type { JsonMembers, KubeObject } from "../../../../src/sandbox/kubeObject.ts";

export const rethrow = (error: unknown): void => {
  throw error;
};

/** The time of the clock until a test sets `api.time`. */
export const firstTime = Date.parse("2026-01-02T03:04:05Z");

/** Returns an API with the namespace `jobs` and its default service account. */
export function startApi() {
  const clock = { time: firstTime };
  const objects = new Objects(() => clock.time, rethrow);
  const context: ApiContext = {
    objects,
    history: new History(objects),
    kinds: new Kinds(rethrow),
    clock: {
      now: () => clock.time,
      sleep: () => Promise.reject(new Error("no sleep")),
    },
    authority: "",
    node: () => undefined,
  };
  const place = { apiVersion: "v1", kind: "Namespace", metadata: { name: "jobs" } };
  objects.create("namespaces", place);
  const account = { name: "default", namespace: "jobs" };
  objects.create("serviceaccounts", {
    ...{ apiVersion: "v1", kind: "ServiceAccount", metadata: account },
  });
  return { ...context, context, setTime: (time: number) => void (clock.time = time) };
}

/** Returns a custom kind in a version: `Thing` of the group `example.com`, stored in version v1. */
export const thing = (version: string, hasStatus = true): Kind => ({
  group: "example.com",
  version,
  kind: "Thing",
  plural: "things",
  singular: "thing",
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: [],
  subresources: [],
  schema: {
    type: "object",
    properties: {
      spec: {
        type: "object",
        properties: { size: { type: "integer", minimum: 1 }, color: { type: "string" } },
      },
    },
  },
  columns: [],
  resource: "things.example.com",
  custom: { listKind: "ThingList", columnPaths: [], hasStatus, storageVersion: "v1" },
});

export function kindNamed(kinds: Kinds, name: string): Kind {
  return kinds.all().find(({ kind }) => kind === name) ?? assert.fail(name);
}

/** Returns the target of a request, in the namespace `jobs` if the kind has namespaces. */
export const targetOf = (
  kind: Kind,
  name: string,
  subresource = "",
  namespace = kind.namespaced ? "jobs" : "",
): RequestTarget => ({ kind, namespace, name, subresource, rest: "" });

/** Returns the refusal that an action throws. */
export function refusalOf(action: () => unknown): Refusal {
  try {
    action();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return assert.fail("not refused");
}

/** Returns the code and the message of the refusal that an action throws. */
export const refusalText = (action: () => unknown): string => {
  const { code, message } = refusalOf(action);
  return `${code} ${message}`;
};

/** Returns the object as a client receives it, without undefined members. */
export const asSent = (object: KubeObject | JsonMembers): unknown =>
  JSON.parse(JSON.stringify(object));
