import assert from "node:assert/strict";
import { test } from "node:test";
import { comparablePod } from "../../../../src/spark/submit/preview/comparable.ts";

const executor = (number: number, prefix: string, memory = "1Gi") => {
  const name = `${prefix}-exec-${number}`;
  return {
    metadata: {
      name,
      uid: `uid-${number}`,
      labels: { "spark-exec-id": String(number), app: "pi" },
    },
    spec: {
      hostname: name.slice(-63).replace(/^-+/, ""),
      containers: [
        {
          name: "main",
          env: [
            { name: "SPARK_EXECUTOR_ID", value: String(number) },
            { name: "MODE", value: "x" },
          ],
          resources: { limits: { memory } },
        },
      ],
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: `${name}-pvc-0` } }],
    },
  };
};

test("gives equal texts for two equal executors with names of any length", () => {
  for (const prefix of ["pi-1a", `${"long-".repeat(14)}1a`]) {
    const [one, other] = [1, 12].map((number) => comparablePod(executor(number, prefix)));
    assert.deepEqual(one, other);
  }
});

test("keeps differences of the specs", () => {
  const one = comparablePod(executor(1, "pi-1a"));
  const other = comparablePod(executor(2, "pi-1a", "2Gi"));
  assert.notDeepEqual(one, other);
  const text = JSON.stringify(other);
  assert.match(text, /"memory":"2Gi"/);
  assert.match(text, /"app":"pi"/);
  assert.match(text, /"claimName":"\(pod\)-pvc-0"/);
  assert.match(text, /"MODE"/);
  assert.doesNotMatch(text, /SPARK_EXECUTOR_ID/);
});
