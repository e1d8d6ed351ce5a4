import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { objectAt, textAt } from "../../../src/base/json.ts";
import type { Ask } from "../ask.ts";
import { definitionsIn } from "./definitionsIn.ts";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const groups = ["sparkoperator.k8s.io/v1beta2", "spark.apache.org/v1"];

/**
 * Installs the operators' custom resource definitions; returns a function that deletes the newly
 * installed ones.
 */
export async function installDefinitions(ask: Ask): Promise<() => Promise<void>> {
  const made: string[] = [];
  for (const name of ["sparkoperator.k8s.io.yaml", "spark.apache.org.yaml"]) {
    const text = await readFile(new URL(name, import.meta.url), "utf8");
    for (const definition of definitionsIn(text)) {
      const { status, body } = await ask("POST", definitionsPath, definition);
      // A definition that already exists may have objects. The cleanup must keep it, as its deletion would delete them.
      if (status === 409) continue;
      assert.equal(status, 201, textAt(body, "message"));
      made.push(textAt(objectAt(definition, "metadata"), "name") ?? "");
    }
  }
  for (const group of groups) {
    const path = `/apis/${group}/sparkapplications`;
    const deadline = performance.now() + 20_000;
    while ((await ask("GET", path)).status !== 200) {
      assert.ok(performance.now() < deadline, `${path} is not served`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return async () => {
    for (const name of made) await ask("DELETE", `${definitionsPath}/${name}`);
  };
}
