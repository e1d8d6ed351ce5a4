// `npm run bench -- [--smallest] [NAME …]`: runs the benchmarks in test/bench one by one. With `--smallest`, only
// checks that they run: fails on errors, but not on slow results.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../../test/bench");
const isSmallest = process.argv.includes("--smallest");
const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const notBenchmarks = ["targets"];
const benchmarks = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"))
  .filter((name) => !notBenchmarks.includes(name))
  .filter((name) => names.length === 0 || names.includes(name));

const [cpu] = cpus();
console.log(
  `${cpu?.model ?? "unknown processor"}, ${cpus().length} cores, ` +
    `${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${release()}, Node ${process.version}`,
);
const failed = benchmarks.filter((name) => {
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [join(folder, `${name}.ts`)], {
    stdio: "inherit",
    env: { ...process.env, ...(isSmallest && { SPARK_K8S_BENCH_SIZE: "smallest" }) },
  });
  return status !== 0;
});
if (failed.length > 0) console.error(`\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 || benchmarks.length === 0 ? 1 : 0;
