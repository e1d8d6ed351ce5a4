import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ResolvedEntry } from "../../../../src/spark/submit/conf/conf.ts";
import { parseQuantity } from "../../../../src/spark/quantity.ts";
import { podSums } from "../../../../src/spark/submit/preview/podSums.ts";
import type { PodTotals } from "../../../../src/spark/submit/preview/totals.ts";
import { minorOf } from "../../../../src/spark/submit/conf/sparkVersion.ts";

interface RecordedPod {
  readonly verdict: "OK" | "ERR";
  readonly error?: string;
  readonly pod?: {
    readonly spec: {
      readonly containers: readonly {
        readonly resources: { readonly requests: Readonly<Record<"cpu" | "memory", string>> };
      }[];
    };
  };
}

interface RecordedCase {
  readonly conf: Readonly<Record<string, string>>;
  readonly driver: RecordedPod;
  readonly executor: RecordedPod;
}

const shared = process.env["SPARK_K8S_SHARED"];
const recordedHere = (version: string): string =>
  join(import.meta.dirname, `executors-${version}.jsonl`);
const recordedThere = (version: string): string =>
  join(shared ?? "", "spark-facts", "cases", `k8s-cases-${version}.jsonl`);

for (const version of ["3.5.9", "4.3.0"]) {
  const files = [recordedHere(version), ...(shared === undefined ? [] : [recordedThere(version)])];
  test(`requests equal those of pods built by Spark ${version}`, () => {
    let compared = 0;
    for (const line of files.flatMap((file) => readFileSync(file, "utf8").split("\n"))) {
      if (line === "") continue;
      const recorded = JSON.parse(line) as RecordedCase;
      const { "@main": main = "java", ...conf } = recorded.conf;
      const kind = main === "python" || main === "r" ? main : "java";
      const minor = minorOf(version);
      assert.ok(minor);
      const sums = podSums(confOf(conf), kind, "cluster", minor);
      const driver = asked(recorded.driver);
      const executor = asked(recorded.executor);
      // A recorded executor without a driver has no application kind.
      const isWhole = recorded.driver.verdict === "OK";
      if (driver) assert.deepEqual(sums.driver, driver, line.slice(0, 300));
      if (executor && isWhole) {
        assert.deepEqual(sums.executor, executor, line.slice(0, 300));
        const { initial } = sums.executors;
        assert.equal(sums.executor.memoryBytes * initial, executor.memoryBytes * countIn(conf));
      }
      compared += (driver ? 1 : 0) + (executor && isWhole ? 1 : 0);
    }
    assert.ok(compared > (shared === undefined ? 10 : 400), `${compared} pods`);
  });
}

const confOf = (conf: Readonly<Record<string, string>>): ReadonlyMap<string, ResolvedEntry> =>
  new Map(
    Object.entries(conf).map(([key, value]) => [key, { value, origin: { kind: "computed" } }]),
  );

/** Returns the resource requests of Spark's container, which is the last one. */
function asked({ pod }: RecordedPod): PodTotals | undefined {
  const requests = pod?.spec.containers.at(-1)?.resources.requests;
  const cores = parseQuantity(requests?.cpu ?? "");
  const memoryBytes = parseQuantity(requests?.memory ?? "");
  return cores === undefined || memoryBytes === undefined ? undefined : { cores, memoryBytes };
}

/** A second implementation of Spark's rule for the number of executors. */
function countIn(conf: Readonly<Record<string, string>>): number {
  const count = (key: string): number => Number(conf[key] ?? 0);
  if (conf["spark.dynamicAllocation.enabled"] !== "true")
    return Number(conf["spark.executor.instances"] ?? 2);
  return Math.max(
    count("spark.executor.instances"),
    count("spark.dynamicAllocation.minExecutors"),
    count("spark.dynamicAllocation.initialExecutors"),
  );
}
