// `npm run test:cluster [FILE …]`: the journeys on a real cluster, two at a time. Most of a journey is waiting for pods.
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { whatIsMissing } from "./requireCluster.ts";
import { runTests, testsIn } from "./runTests.ts";

const complaint = whatIsMissing(process.env);
if (complaint !== undefined) {
  console.error(complaint);
  process.exitCode = 1;
} else {
  const named = process.argv.slice(2);
  const files = named.length > 0 ? named : allFiles();
  const alone = files.filter(restartsCluster);
  const others = files.filter((file) => !restartsCluster(file));
  const codes = [await runTests(alone, process.env), await runTests(others, process.env, 2)];
  process.exitCode = Math.max(...codes);
}

/** True for a test that restarts a part of the cluster: no other test can run beside it. */
function restartsCluster(file: string): boolean {
  return /\brestart(?:ApiServer|Etcd|Kubelet)\b/.test(readFileSync(file, "utf8"));
}

/** All tests of the ring; the comparison with the real spark-submit only if there is one. */
function allFiles(): readonly string[] {
  const folder = dirname(fileURLToPath(import.meta.url));
  const comparison = "submissionEquality.test.ts";
  const hasSpark = (process.env["SPARK_K8S_SPARK_HOMES"] ?? "") !== "";
  if (!hasSpark) {
    console.log(
      `left out: ${comparison}, which compares with the real spark-submit. Set SPARK_K8S_SPARK_HOMES to ` +
        "folders of Spark distributions, named by their versions, to run it.",
    );
  }
  return testsIn(folder).filter((file) => hasSpark || basename(file) !== comparison);
}
