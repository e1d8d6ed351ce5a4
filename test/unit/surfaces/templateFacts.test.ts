import assert from "node:assert/strict";
import { test } from "node:test";
import { openConf } from "../../../src/editor/conf/door.ts";
import { templateFacts } from "../../../src/spark/surfaces/templateFacts.ts";

const template = `apiVersion: v1
kind: Pod
metadata: { name: mine, labels: { a: b } }
spec:
  restartPolicy: Always
  terminationGracePeriodSeconds: 90
  containers:
    - name: sidecar
      image: sidecar:1
    - name: spark-kubernetes-executor
      image: spark:1
      livenessProbe: { exec: { command: [x] } }
      resources: { limits: { cpu: 1, nvidia.com/gpu: 1 } }
      securityContext: { allowPrivilegeEscalation: true }
`;

test("finds the fields of a pod template that Spark treats specially", () => {
  assert.deepEqual(templateFacts(template, "executor", "spark-kubernetes-executor"), {
    containers: ["sidecar", "spark-kubernetes-executor"],
    overwritten: [
      "metadata.name",
      "spec.restartPolicy",
      "image",
      "limits.cpu",
      "securityContext.allowPrivilegeEscalation",
    ],
    hasLivenessProbe: true,
    gracePeriodSeconds: 90,
  });
  assert.equal(templateFacts(template, "executor", undefined)?.hasLivenessProbe, false);
  const unnamed = "spec: { containers: [{ image: a }] }";
  assert.deepEqual(templateFacts(unnamed, "driver", undefined)?.containers, [
    "spark-kubernetes-driver",
  ]);
  assert.equal(templateFacts("{{ x", "driver", undefined), undefined);
});

test("a template that a setting names is read, be it named by a properties file that is named itself", () => {
  const help = openConf();
  const key = "spark.kubernetes.executor.podTemplateFile";
  const own = `${key} pod.yaml\nspark.kubernetes.executor.podTemplateContainerName spark-kubernetes-executor\n`;
  assert.deepEqual(help.filesNamed(own, "properties"), ["pod.yaml"]);
  assert.deepEqual(help.filesNamed(`${key} \${DIR}/pod.yaml\n`, "properties"), []);
  const files = new Map([["pod.yaml", template]]);
  const codes = help
    .diagnose(own, "properties", "4.3", new Map(), files)
    .map(({ code }) => code.slice(0, 4));
  assert.deepEqual(codes, ["R111", "R112", "R113", "R209"]);
  const command = "spark-submit --properties-file a.conf --conf spark.a=b x.py";
  const named = new Map([["a.conf", own]]);
  assert.deepEqual(help.filesNamed(command, "command"), ["a.conf"]);
  assert.deepEqual(help.filesNamed(command, "command", named), ["a.conf", "pod.yaml"]);
});
