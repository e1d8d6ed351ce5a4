import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { err, ok, type Result } from "../../../../src/base/result.ts";
import type { ClusterError } from "../../../../src/engine/clusterError.ts";
import { deleteFinished } from "../../../../src/engine/lifecycle/deleteApplication.ts";
import type { ObjectApi, StoredObject } from "../../../../src/engine/ports/objects.ts";
import type { Application } from "../../../../src/spark/pods/application.ts";
import { buildApplications } from "../../../../src/spark/pods/applications.ts";
import { joinResource } from "../../../../src/spark/pods/operatedApplication.ts";
import { decodeOperatorResource } from "../../../../src/spark/pods/operatorResource.ts";
import { firstOf } from "../../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../../src/spark/pods/podListing.ts";
import { emptySnapshot } from "../../../../src/spark/pods/podSnapshot.ts";
import { driverFixture } from "../../pods/podFixture.ts";

const { signal } = new AbortController();
const apiVersion = "sparkoperator.k8s.io/v1beta2";

const bodyOf = (state: string, uid = "uid-resource") => ({
  metadata: { name: "pi", namespace: "jobs", uid },
  status: { applicationState: { state } },
});

const storedAs = (body: unknown): Result<StoredObject, ClusterError> =>
  ok({
    ...{ apiVersion, kind: "SparkApplication", name: "pi", namespace: "jobs" },
    ...{ uid: "uid-resource", resourceVersion: "2", body },
  });

function application(): Application {
  const driver = driverFixture({ phase: "Succeeded" });
  const only = firstOf(
    buildApplications(replacePods(emptySnapshot, [driver]).snapshot).applications,
  );
  return only ?? assert.fail("no application");
}

const operated = (): Application =>
  joinResource(
    application(),
    decodeOperatorResource(apiVersion, "SparkApplication", bodyOf("COMPLETED")),
  );

/** Runs the deletion; returns its outcome and the deleted objects with their uid preconditions. */
async function deleted(one: Application, read?: Result<StoredObject, ClusterError>) {
  const deletions: string[] = [];
  const objects: Pick<ObjectApi, "read" | "delete"> = {
    read: () => Promise.resolve(read ?? assert.fail("nothing to read")),
    delete: ({ kind, name }, { uid }) => {
      deletions.push(`${kind} ${name} ${uid}`);
      return Promise.resolve(ok(undefined));
    },
  };
  const outcome = await deleteFinished(objects as ObjectApi, one, signal);
  return { kind: outcome.kind, deletions };
}

describe("a finished application", () => {
  test("is deleted by its driver pod with that uid", async () => {
    assert.deepEqual(await deleted(application()), {
      kind: "deleted",
      deletions: ["Pod pi-0123456789abcdef-driver uid-driver"],
    });
  });

  test("needs no deletion if it has neither a driver pod nor a custom resource", async () => {
    assert.deepEqual(await deleted({ ...application(), driver: undefined }), {
      kind: "alreadyGone",
      deletions: [],
    });
  });

  test("needs no deletion if its custom resource does not exist", async () => {
    const missing = err<ClusterError>({
      ...{ kind: "notFound", resource: "sparkapplications", name: "pi", detail: "" },
    });
    assert.deepEqual(await deleted(operated(), missing), { kind: "alreadyGone", deletions: [] });
  });

  test("is deleted by its custom resource, which owns the driver pod", async () => {
    assert.deepEqual(await deleted(operated(), storedAs(bodyOf("COMPLETED"))), {
      kind: "deleted",
      deletions: ["SparkApplication pi uid-resource"],
    });
  });

  test("is kept if its operator has started it again since the last list", async () => {
    assert.deepEqual(await deleted(operated(), storedAs(bodyOf("RUNNING"))), {
      kind: "restarted",
      deletions: [],
    });
  });

  test("is kept if another custom resource has its name", async () => {
    assert.deepEqual(await deleted(operated(), storedAs(bodyOf("COMPLETED", "uid-other"))), {
      kind: "replaced",
      deletions: [],
    });
  });

  test("is kept if its custom resource cannot be read", async () => {
    const forbidden = err<ClusterError>({
      ...{ kind: "forbidden", verb: "get", resource: "sparkapplications" },
      ...{ namespace: "jobs", detail: "no" },
    });
    assert.deepEqual(await deleted(operated(), forbidden), { kind: "failed", deletions: [] });
  });
});
