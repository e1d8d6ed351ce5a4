// An in-memory cluster that serves reads, lists and access reviews, and records writes.
import { err, ok } from "../../../src/base/result.ts";
import type { ClusterError } from "../../../src/engine/clusterError.ts";
import type { AccessAttributes, AccessReviews } from "../../../src/engine/ports/accessReviews.ts";
import type { ObjectApi, StoredObject } from "../../../src/engine/ports/objects.ts";
import type { Manifest } from "../../../src/spark/submit/plan/manifest.ts";

export interface FakeCluster {
  readonly objects: ObjectApi;
  readonly rights: AccessReviews;
  /** Requests in order, such as `create Pod a dryRun`. */
  readonly asked: string[];
}

export interface FakeContents {
  readonly manifests?: readonly Manifest[];
  /** Errors by request: `read Secret`, `list Node`, `create Pod`. */
  readonly refused?: Readonly<Record<string, ClusterError>>;
  readonly can?: (attributes: AccessAttributes) => boolean | ClusterError;
  /** The name of the user; undefined if the API server cannot return it. */
  readonly user?: string;
}

export function fakeCluster({
  manifests = [],
  refused = {},
  can,
  user,
}: FakeContents = {}): FakeCluster {
  const asked: string[] = [];
  const stored = manifests.map((manifest): StoredObject => ({
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    name: manifest.metadata.name,
    namespace: "",
    uid: "u",
    resourceVersion: "1",
    body: manifest,
  }));
  const write = (verb: string, manifest: Manifest, dryRun: boolean) => {
    const { kind, metadata } = manifest;
    const owners = metadata.ownerReferences === undefined ? "" : " owned";
    asked.push(`${verb} ${kind}${dryRun ? " dryRun" : ""}${owners}`);
    const error = refused[`${verb} ${kind}`];
    if (error) return Promise.resolve(err(error));
    const object = { ...manifest, uid: "", resourceVersion: "", namespace: "", body: manifest };
    return Promise.resolve(ok({ ...object, name: metadata.name }));
  };
  const never = (): never => {
    throw new Error("nothing else is asked");
  };
  return {
    asked,
    objects: {
      create: (_, manifest, { dryRun }) => write("create", manifest, dryRun),
      apply: (_, manifest, { dryRun }) => write("apply", manifest, dryRun),
      read: ({ kind, name }) => {
        asked.push(`read ${kind} ${name}`);
        const error = refused[`read ${kind}`];
        if (error) return Promise.resolve(err(error));
        const found = stored.find((object) => object.kind === kind && object.name === name);
        return Promise.resolve(
          found ? ok(found) : err({ kind: "notFound", resource: kind, name, detail: "not there" }),
        );
      },
      list: ({ kind }) => {
        asked.push(`list ${kind}`);
        const error = refused[`list ${kind}`];
        return Promise.resolve(
          error ? err(error) : ok(stored.filter((object) => object.kind === kind)),
        );
      },
      replace: never,
      patch: never,
      delete: never,
    },
    rights: {
      user: () => {
        asked.push("user");
        return Promise.resolve(user === undefined ? err(noSuchApi) : ok(user));
      },
      can: (attributes) => {
        asked.push(`may ${attributes.verb} ${attributes.resource}`);
        const answer = can?.(attributes) ?? true;
        return Promise.resolve(typeof answer === "boolean" ? ok(answer) : err(answer));
      },
    },
  };
}

const noSuchApi: ClusterError = {
  ...{ kind: "notFound", resource: "selfsubjectreviews", name: "", detail: "not there" },
};

export const forbidden = (verb: string, resource: string): ClusterError => ({
  kind: "forbidden",
  verb,
  resource,
  namespace: undefined,
  detail: `User "ann" cannot ${verb} resource "${resource}"`,
});
