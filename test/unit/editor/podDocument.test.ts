import assert from "node:assert/strict";
import { test } from "node:test";
import { ok } from "../../../src/base/result.ts";
import type { ObjectApi } from "../../../src/engine/ports/objects.ts";
import { readPodDocument } from "../../../src/editor/describe/podDocument.ts";
import { buildApplications } from "../../../src/spark/pods/applications.ts";
import { firstOf } from "../../../src/spark/pods/ordered.ts";
import { replacePods } from "../../../src/spark/pods/podListing.ts";
import { plainMask } from "../../../src/spark/redact.ts";
import { emptySnapshot } from "../../../src/spark/pods/podSnapshot.ts";
import { fakeCluster } from "../engine/fakeCluster.ts";
import { podFixture } from "../pods/podFixture.ts";

const { signal } = new AbortController();

/** Opens the document of a pod, while the pod of this name in the cluster has the uid `uidNow`. */
async function documentOf(uidNow: string) {
  const pod = podFixture({ uid: "uid-seen" });
  const { snapshot } = replacePods(emptySnapshot, [pod]);
  const application = firstOf(buildApplications(snapshot).applications);
  const executor = application && firstOf(application.live);
  assert.ok(application && executor);
  const { objects } = fakeCluster();
  const read: ObjectApi["read"] = (object) =>
    Promise.resolve(
      ok({
        ...object,
        uid: uidNow,
        resourceVersion: "9",
        body: { metadata: { uid: uidNow, managedFields: [] } },
      }),
    );
  const connection = { objects: { ...objects, read } };
  return readPodDocument(connection, { application, pod: executor, name: "" }, plainMask, signal);
}

test("omits the fields that only clients of the server need", async () => {
  const read = await documentOf("uid-seen");
  assert.deepEqual(read.ok && read.value["metadata"], { uid: "uid-seen" });
});

test("does not show a new pod with the same name instead", async () => {
  assert.deepEqual(await documentOf("uid-new"), { ok: false, error: "anotherPod" });
});
