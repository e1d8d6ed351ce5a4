// The expected messages are those of a real API server (Kubernetes 1.36).
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Kinds } from "../../../../src/sandbox/api/kinds.ts";
import type { JsonMembers } from "../../../../src/sandbox/kubeObject.ts";
import { decode, type DecodedObject } from "../../../../src/sandbox/schema/decode.ts";

const kinds = new Kinds((error) => {
  throw error;
});

function decoded(resource: string, body: object): DecodedObject {
  const kind = kinds.find("", "v1", resource);
  assert.ok(kind);
  return decode(body as JsonMembers, kind.schema, kind.kind);
}

const container = { name: "a", image: "x" };
const podOf = (spec: object): DecodedObject =>
  decoded("pods", { spec: { containers: [container], ...spec } });
const containerOf = (fields: object): DecodedObject =>
  podOf({ containers: [{ ...container, ...fields }] });

describe("a value of a wrong type", () => {
  type Row = readonly [() => DecodedObject, string];
  const inPod = (spec: object, text: string): Row => [() => podOf(spec), text];
  const inContainer = (fields: object, text: string): Row => [() => containerOf(fields), text];
  const rows = [
    inPod({ containers: "none" }, "string PodSpec.spec.containers []v1.Container"),
    inPod({ containers: {} }, "object PodSpec.spec.containers []v1.Container"),
    inPod({ containers: true }, "bool PodSpec.spec.containers []v1.Container"),
    inPod({ containers: [1] }, "number PodSpec.spec.containers v1.Container"),
    inPod({ hostNetwork: 1 }, "number PodSpec.spec.hostNetwork bool"),
    inPod(
      { terminationGracePeriodSeconds: "soon" },
      "string PodSpec.spec.terminationGracePeriodSeconds int64",
    ),
    inPod({ nodeSelector: "x" }, "string PodSpec.spec.nodeSelector map[string]string"),
    inPod({ nodeSelector: { a: 1 } }, "number PodSpec.spec.nodeSelector string"),
    inContainer({ env: [[]] }, "array Container.spec.containers.env v1.EnvVar"),
    inContainer({ command: "x" }, "string Container.spec.containers.command []string"),
    inContainer({ command: [{}] }, "object Container.spec.containers.command string"),
    inContainer(
      { ports: [{ containerPort: "x" }] },
      "string ContainerPort.spec.containers.ports.containerPort int32",
    ),
    inContainer(
      { resources: 1 },
      "number Container.spec.containers.resources v1.ResourceRequirements",
    ),
    [() => decoded("pods", { spec: [] }), "array Pod.spec v1.PodSpec"],
    [
      () => decoded("pods", { metadata: { ownerReferences: [{ controller: "x" }] } }),
      "string OwnerReference.metadata.ownerReferences.controller bool",
    ],
    [() => decoded("configmaps", { data: [] }), "array ConfigMap.data map[string]string"],
  ] as const;
  for (const [decodedRow, text] of rows) {
    const [found = "", field = "", type = ""] = text.split(" ");
    test(`is reported for ${field} as ${found}`, () => {
      assert.deepEqual(decodedRow().mistyped, [
        `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`,
      ]);
    });
  }

  test("is reported for a fraction, where an integer is needed", () => {
    const { mistyped } = containerOf({ ports: [{ containerPort: 1.5 }] });
    assert.match(mistyped.join(), /^json: cannot unmarshal number .* of type int32$/);
  });

  test("is reported for a port that is neither a number nor a name", () => {
    const portOf = (targetPort: unknown): DecodedObject =>
      decoded("services", { spec: { ports: [{ port: 1, targetPort }] } });
    for (const wrong of [true, {}, []]) {
      assert.match(portOf(wrong).mistyped.join(), /^json: cannot unmarshal \w+ into/);
    }
    for (const right of [80, "http"]) {
      const { mistyped, value } = portOf(right);
      assert.deepEqual(mistyped, []);
      assert.deepEqual(value["spec"], { ports: [{ port: 1, targetPort: right }] });
    }
  });

  test("is reported for a quantity, which is written in its canonical form", () => {
    const limitsOf = (cpu: unknown): DecodedObject =>
      containerOf({ resources: { limits: { cpu } } });
    assert.match(limitsOf("x").mistyped.join(), /^quantities must match the regular expression/);
    for (const [given, canonical] of [
      [1, "1"],
      ["0.5", "500m"],
      ["1000m", "1"],
    ] as const) {
      const { mistyped, value } = limitsOf(given);
      assert.deepEqual(mistyped, []);
      const resources = { limits: { cpu: canonical } };
      assert.deepEqual(value["spec"], { containers: [{ ...container, resources }] });
    }
  });
});

describe("the data of a secret", () => {
  const dataOf = (a: string): DecodedObject => decoded("secrets", { data: { a } });
  for (const [text, position] of [
    ["not base64!", 3],
    ["YQ", 0],
    ["YWJjZ", 4],
    ["YWJjZA", 4],
    ["YWJjYWJjY", 8],
    ["é", 0],
    ["abéd", 2],
  ] as const) {
    test(`is refused for ${JSON.stringify(text)} with the position ${position}`, () => {
      assert.deepEqual(dataOf(text).mistyped, [`illegal base64 data at input byte ${position}`]);
    });
  }

  test("may be empty and may have line breaks", () => {
    for (const text of ["", "YWJj", "YQ==", "YWJj\nZA==", "YQ==\r\n"]) {
      assert.deepEqual(dataOf(text).mistyped, [], JSON.stringify(text));
    }
  });
});

describe("a decoded object", () => {
  test("lists the paths of unknown fields and drops them", () => {
    const { value, unknown } = decoded("pods", {
      extra: 1,
      spec: { containers: [container, { ...container, imagee: "x", env: [{ valuee: "" }] }] },
    });
    assert.deepEqual(unknown, [
      "extra",
      "spec.containers[1].imagee",
      "spec.containers[1].env[0].valuee",
    ]);
    const resources = {};
    assert.deepEqual(value["spec"], {
      containers: [
        { ...container, resources },
        { ...container, env: [{}], resources },
      ],
    });
  });

  test("has no empty values, except structs and pointers", () => {
    const spec = podOf({
      hostNetwork: false,
      hostPID: false,
      shareProcessNamespace: false,
      terminationGracePeriodSeconds: 0,
      nodeName: "",
      nodeSelector: {},
      tolerations: [],
      securityContext: {},
      containers: [
        {
          ...container,
          ...{ stdin: false, tty: true, workingDir: "", args: [], env: [{ name: "A", value: "" }] },
          readinessProbe: { tcpSocket: { port: 1 }, initialDelaySeconds: 0, periodSeconds: 1 },
          volumeMounts: [{ name: "x", mountPath: "/x", readOnly: false, subPath: "" }],
        },
      ],
    }).value["spec"];
    assert.deepEqual(spec, {
      shareProcessNamespace: false,
      terminationGracePeriodSeconds: 0,
      securityContext: {},
      containers: [
        {
          ...container,
          tty: true,
          env: [{ name: "A" }],
          resources: {},
          readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: 1 },
          volumeMounts: [{ name: "x", mountPath: "/x" }],
        },
      ],
    });
  });

  test("distinguishes the empty storage class from an absent one", () => {
    const classOf = (storageClassName: unknown): unknown =>
      decoded("persistentvolumeclaims", { spec: { storageClassName } }).value["spec"];
    assert.deepEqual(classOf(""), { storageClassName: "", resources: {} });
    assert.deepEqual(classOf(null), { resources: {} });
  });

  test("has the zero value of its type in place of null in a list", () => {
    const { value } = podOf({ containers: [null, { ...container, command: [null, "a"] }] });
    assert.deepEqual(value["spec"], {
      containers: [{}, { ...container, command: ["", "a"], resources: {} }],
    });
  });

  test("keeps an empty text in the data of a config", () => {
    const { value } = decoded("configmaps", { data: { a: "", b: "1" }, binaryData: {} });
    assert.deepEqual(value["data"], { a: "", b: "1" });
    assert.equal("binaryData" in value, false);
  });
});
