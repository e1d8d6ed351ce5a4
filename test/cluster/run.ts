// `npm run test:cluster [FILE …]`: runs the cluster tests one after the other.
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
  process.exitCode = await runTests(files, process.env);
}

/** Returns all cluster tests. Omits the comparison with the real spark-submit if SPARK_K8S_SPARK_HOMES is not set. */
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
