// Tests single functions that all conversions share.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inEnglish } from "../../../src/base/message.ts";
import { placeOfField, remarksOf } from "../../../src/spark/operator/fieldPlaces.ts";
import { metadataLosses, specLosses } from "../../../src/spark/operator/kubeflowLosses.ts";
import { readVolume } from "../../../src/spark/operator/kubeflowVolumes.ts";
import { nameObject } from "../../../src/spark/operator/objectName.ts";
import { planRestart } from "../../../src/spark/operator/operatorPlan.ts";
import { fileLosses, localOnlyReason } from "../../../src/spark/operator/remoteFiles.ts";
import {
  nameOfRequest,
  type ConversionLoss,
  type SubmissionRequest,
} from "../../../src/spark/operator/submissionRequest.ts";

const request = (
  fields: Partial<Omit<SubmissionRequest, "conf">> & { conf?: object } = {},
): SubmissionRequest => ({
  ...{ sparkVersion: undefined, resource: undefined, mainClass: undefined, arguments: [] },
  ...{ proxyUser: undefined, propertiesFile: undefined, extraPropertiesFiles: [] },
  ...{ loadsDefaults: false, idle: [], templates: {}, ...fields },
  conf: new Map(Object.entries(fields.conf ?? {}) as [string, string][]),
});
const shown = (losses: readonly ConversionLoss[]): readonly string[] =>
  losses.map(
    ({ kind, entry }) => `${kind} ${typeof entry === "string" ? entry : inEnglish(entry)}`,
  );

describe("the name of an object", () => {
  const nameOf = (name: string) => nameObject(request({ conf: { "spark.app.name": name } }));
  test("is the valid name that is most similar to that of the application", () => {
    const rows = {
      ...{ etl: "etl", "Spark Pi": "spark-pi", "9-etl": "etl", __a__b__: "a-b", "a.b": "a-b" },
      ...{ "123": "spark-application", "\u00e9": "spark-application", "-": "spark-application" },
    };
    for (const [name, object] of Object.entries(rows))
      assert.deepEqual(nameOf(name).value, { name: object });
    const long = "a".repeat(63);
    assert.equal(nameOf(`${long}b`).value.name, long);
    assert.equal(nameOf(`${"a".repeat(62)} b`).value.name, "a".repeat(62));
  });

  test("is reported if it differs", () => {
    assert.deepEqual(nameOf("etl").losses, []);
    assert.deepEqual(shown(nameOf("Etl").losses), ["changed spark.app.name"]);
  });

  test("comes from the conf, the main class or the file", () => {
    const [mainClass, resource] = ["org.example.Main", "local:///opt/a.jar"];
    const conf = { "spark.app.name": "etl" };
    assert.equal(nameOfRequest(request({ conf, mainClass, resource })), "etl");
    assert.equal(nameOfRequest(request({ mainClass, resource })), mainClass);
    assert.equal(nameOfRequest(request({ resource })), "a.jar");
    assert.equal(nameOfRequest(request({ resource: "a.py" })), "a.py");
    assert.equal(nameOfRequest(request()), "");
  });
});

describe("the losses of a kubeflow object", () => {
  test("are annotations and a generated name", () => {
    assert.deepEqual(metadataLosses({}), []);
    const applied = "kubectl.kubernetes.io/last-applied-configuration";
    assert.deepEqual(metadataLosses({ annotations: { [applied]: "x" }, name: "a" }), []);
    assert.deepEqual(shown(metadataLosses({ annotations: { [applied]: "x", b: "c" } })), [
      "dropped metadata.annotations",
    ]);
    assert.deepEqual(shown(metadataLosses({ generateName: "a-" })), [
      "changed metadata.generateName",
    ]);
    assert.deepEqual(metadataLosses({ generateName: "a-", name: "a" }), []);
  });

  test("are fields that a submission cannot express", () => {
    assert.deepEqual(specLosses({}), []);
    assert.deepEqual(
      shown(
        specLosses({
          ...{ batchScheduler: "yunikorn", failureRetries: 3, timeToLiveSeconds: 5, suspend: true },
          ...{ hadoopConfigMap: "h", restartPolicy: { type: "Always" } },
          ...{ driver: { memoryLimit: "1g" }, executor: { memoryLimit: "2g" } },
          dynamicAllocation: { enabled: false, minExecutors: 1 },
        }),
      ),
      [
        ...["batchScheduler", "failureRetries", "timeToLiveSeconds", "restartPolicy", "suspend"],
        ...["hadoopConfigMap", "dynamicAllocation", "driver.memoryLimit", "executor.memoryLimit"],
      ].map((field) => `dropped spec.${field}`),
    );
    assert.deepEqual(
      specLosses({
        ...{ suspend: false, restartPolicy: { type: "Never" }, driver: {} },
        dynamicAllocation: { enabled: false },
      }),
      [],
    );
    assert.deepEqual(
      specLosses({ restartPolicy: {}, dynamicAllocation: { enabled: true, minExecutors: 1 } }),
      [],
    );
  });
});

describe("the conf entries of a volume", () => {
  const read = (volume: object, mount: object = { name: "a", mountPath: "/a" }) =>
    readVolume(volume as never, mount as never, "driver");
  const key = (rest: string) => `spark.kubernetes.driver.volumes.${rest}`;

  test("have its mount and its options without defaults", () => {
    assert.deepEqual(
      read(
        { name: "a", nfs: { server: "s", path: "/p", readOnly: false } },
        { name: "a", mountPath: "/a", readOnly: true, subPath: "b", mountPropagation: null },
      ),
      [
        [key("nfs.a.mount.path"), "/a"],
        [key("nfs.a.mount.readOnly"), "true"],
        [key("nfs.a.mount.subPath"), "b"],
        [key("nfs.a.options.server"), "s"],
        [key("nfs.a.options.path"), "/p"],
      ],
    );
    assert.deepEqual(read({ name: "a", emptyDir: {} }), [[key("emptyDir.a.mount.path"), "/a"]]);
    assert.deepEqual(read({ name: "a", emptyDir: { sizeLimit: 5, medium: "" } }), [
      [key("emptyDir.a.mount.path"), "/a"],
      [key("emptyDir.a.options.sizeLimit"), "5"],
    ]);
    const claim = { name: "a", persistentVolumeClaim: { claimName: "c" } };
    assert.deepEqual(read(claim)?.[1], [key("persistentVolumeClaim.a.options.claimName"), "c"]);
    const host = { name: "a", hostPath: { path: "/h", type: "Directory" } };
    assert.equal(read(host)?.length, 3);
  });

  test("are none if they cannot express all of it", () => {
    for (const volume of [
      ...[
        { name: "a.b", emptyDir: {} },
        { emptyDir: {} },
        { name: "a" },
        { name: 5, emptyDir: {} },
      ],
      ...[
        { name: "a", emptyDir: {}, nfs: {} },
        { name: "a", configMap: { name: "c" } },
        { name: "a", constructor: { medium: "x" } },
      ],
      ...[
        { name: "a", emptyDir: { other: "x" } },
        { name: "a", emptyDir: { medium: {} } },
      ],
      ...[{ name: "a", persistentVolumeClaim: { claimName: "c", readOnly: true } }],
    ])
      assert.equal(read(volume), undefined, JSON.stringify(volume));
    const empty = { name: "a", emptyDir: {} };
    for (const mount of [{ name: "a" }, { mountPath: 5 }, { mountPath: "/a", subPathExpr: "x" }])
      assert.equal(read(empty, mount), undefined, JSON.stringify(mount));
  });
});

describe("the restart of an object", () => {
  const body = {
    metadata: {
      ...{ name: "old", uid: "u", resourceVersion: "5", labels: { a: "b" } },
      annotations: { "kubectl.kubernetes.io/last-applied-configuration": "x", c: "d" },
      ownerReferences: [{ name: "o" }],
    },
    spec: { suspend: true, image: "i" },
    status: { x: 1 },
  };
  const stored = { apiVersion: "v1", kind: "K", name: "a", namespace: "n", uid: "u-1", body };

  test("deletes it by its uid, and creates it without server-owned fields", () => {
    const { requests, manifest } = planRestart(stored);
    assert.deepEqual(manifest, {
      ...{ apiVersion: "v1", kind: "K", spec: { image: "i" } },
      metadata: {
        ...{ name: "a", namespace: "n", labels: { a: "b" }, annotations: { c: "d" } },
        ownerReferences: [{ name: "o" }],
      },
    });
    const object = { apiVersion: "v1", kind: "K", name: "a", namespace: "n" };
    assert.deepEqual(requests, [
      { verb: "delete", object, uid: "u-1", propagationPolicy: "Foreground" },
      { verb: "create", manifest },
    ]);
  });

  test("keeps a suspension that is off, and needs no metadata", () => {
    const metadata = { name: "a", namespace: "n" };
    const kind = { apiVersion: "v1", kind: "K" };
    assert.deepEqual(planRestart({ ...stored, body: { spec: { suspend: false } } }).manifest, {
      ...{ ...kind, metadata, spec: { suspend: false } },
    });
    assert.deepEqual(planRestart({ ...stored, body: "x" }).manifest, {
      ...kind,
      metadata,
      spec: {},
    });
  });
});

describe("the files of a request", () => {
  test("are to be uploaded if they are on this machine", () => {
    const conf = { "spark.jars": "local:///a.jar,/b.jar, ,s3a://c/d.jar", "spark.files": "e.txt" };
    assert.deepEqual(shown(fileLosses(request({ resource: "/app.py", conf }))), [
      ...["byHand the main application resource", "byHand spark.jars", "byHand spark.files"],
    ]);
    assert.deepEqual(fileLosses(request({ resource: "local:///app.py" })), []);
    assert.deepEqual(fileLosses(request()), []);
  });

  test("cannot be used by the operator under some keys", () => {
    const isRefused = (key: string, value: string) => localOnlyReason(key, value) !== undefined;
    const driver = "spark.kubernetes.authenticate.driver.";
    const submission = "spark.kubernetes.authenticate.submission.";
    for (const [key, value] of [
      ...([
        ["spark.master", "x"],
        ["spark.kubernetes.context", "x"],
        [`${submission}caCertFile`, "x"],
      ] as const),
      ...([
        [`${driver}caCertFile`, "x"],
        [`${driver}oauthTokenFile`, "x"],
      ] as const),
      ...([
        ["spark.kubernetes.kerberos.krb5.path", "x"],
        ["spark.kerberos.keytab", "/x"],
      ] as const),
      ...([["spark.kubernetes.submission.waitAppCompletion", "true"]] as const),
    ])
      assert.equal(isRefused(key, value), true, key);
    for (const [key, value] of [
      ...([
        [`${driver}oauthToken`, "x"],
        ["spark.kerberos.keytab", "local:///x"],
      ] as const),
      ...([
        ["spark.kubernetes.submission.waitAppCompletion", "false"],
        ["spark.jars", "/x"],
      ] as const),
    ])
      assert.equal(isRefused(key, value), false, key);
  });
});

describe("the place of a field", () => {
  const text =
    "kind: A\n---\nspec:\n  driver:\n    cores: 1\n  volumes:\n    - name: a\n    - name: b\n  sparkConf:\n    spark.a: x\n";
  const start = text.indexOf("spec:");
  const document = { start, end: text.length };
  const at = (path: string): string => {
    const span = placeOfField(text, document, path);
    return text.slice(span.start, span.end).trim();
  };

  test("is its key, its item, or the nearest parent", () => {
    assert.equal(at("spec.driver.cores"), "cores");
    assert.equal(at("spec.driver.other.more"), "driver");
    assert.equal(at("spec.volumes[1]"), "name: b");
    assert.equal(at("spec.volumes[1].name"), "name");
    assert.equal(at("spec.volumes[2].name"), "volumes");
    assert.equal(at("spec.sparkConf[spark.a]"), "spark.a");
    assert.equal(at("spec.driver.cores.x"), "cores");
    assert.equal(at(""), "spec:");
    assert.equal(at("status"), "spec:");
    const one = placeOfField("a: 1", { start: 0, end: 4 }, "x");
    assert.deepEqual(one, { start: 0, end: 4 });
  });

  test("is named in the message if the server names no causes", () => {
    assert.deepEqual(
      remarksOf("x", [
        { field: "spec.a", message: "m" },
        { field: "<nil>", message: "n" },
      ]),
      [
        ...[
          { path: "spec.a", message: "m" },
          { path: "", message: "n" },
        ],
      ],
    );
    assert.deepEqual(remarksOf('strict: unknown field "spec.a", duplicate field "spec.b"', []), [
      { path: "spec.a", message: 'unknown field "spec.a"' },
      { path: "spec.b", message: 'duplicate field "spec.b"' },
    ]);
    assert.deepEqual(remarksOf("oh", []), [{ path: "", message: "oh" }]);
  });
});
