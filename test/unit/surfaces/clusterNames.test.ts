import assert from "node:assert/strict";
import { test } from "node:test";
import { namePlaceAt } from "../../../src/spark/surfaces/clusterNames.ts";
import type { Surface } from "../../../src/spark/surfaces/surfaces.ts";

/** Returns the kind of name at the `|` in the text, and the text that a completion would replace. */
function place(surface: Surface, text: string): string | undefined {
  const offset = text.indexOf("|");
  const plain = text.replace("|", "");
  const found = namePlaceAt(plain, surface, offset);
  if (found === undefined) return undefined;
  const { kind, namespace, replaces, behind } = found;
  return `${kind} ${namespace ?? "-"} "${plain.slice(replaces.start, replaces.end)}" ${behind}`.trim();
}

test("the kind of object is that of the key, in the namespace of its document", () => {
  const file = (line: string): string => `spark.kubernetes.namespace etl\n${line}\n`;
  assert.equal(place("properties", "spark.kubernetes.namespace e|\n"), 'Namespace - "e"');
  assert.equal(
    place("properties", file("spark.kubernetes.authenticate.driver.serviceAccountName |")),
    'ServiceAccount etl ""',
  );
  assert.equal(
    place("properties", file("spark.kubernetes.container.image.pullSecrets a,b|c,d")),
    'Secret etl "bc"',
  );
  assert.equal(
    place("properties", file("spark.kubernetes.driver.secretKeyRef.TOKEN s|")),
    'Secret etl "s" :TOKEN',
  );
  assert.equal(
    place(
      "command",
      "--conf spark.kubernetes.executor.volumes.persistentVolumeClaim.d.options.claimName=|x",
    ),
    'PersistentVolumeClaim - "x"',
  );
  assert.equal(place("properties", "spark.executor.cores |2"), undefined);
  assert.equal(place("properties", "spark.kuber|netes.namespace x"), undefined);
});

test("fields of a manifest take names too", () => {
  const manifest = (line: string): string =>
    `apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata:\n  name: a\n  namespace: etl\nspec:\n  driver:\n    ${line}\n`;
  assert.equal(place("manifest", manifest("serviceAccount: sp|ark")), 'ServiceAccount etl "spark"');
  assert.equal(place("manifest", manifest("priorityClassName: |")), 'PriorityClass etl ""');
  assert.equal(place("manifest", manifest("memory: |4g")), undefined);
});
