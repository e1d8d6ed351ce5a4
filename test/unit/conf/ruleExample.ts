import type { ConfRule, NamedProblem } from "../../../src/spark/conf/rules/numbered/confRule.ts";

/** Returns the example with the settings that the rule requires as lines before it. */
export function given(rule: ConfRule | NamedProblem, example: string): string {
  const where = "where" in rule ? rule.where : undefined;
  const lines: string[] = [];
  if (where !== undefined && !/^spark\.master /m.test(example)) {
    lines.push("spark.master k8s://https://host:6443");
  }
  if (
    where !== undefined &&
    where !== "kubernetes" &&
    !/^spark\.submit\.deployMode /m.test(example)
  ) {
    lines.push(`spark.submit.deployMode ${where}`);
  }
  return [...lines, example].join("\n");
}
