// `npm run bench [NAME …]`: the benchmarks of test/bench, one after the other, on the machine that is told.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const folder = resolve(dirname(fileURLToPath(import.meta.url)), "../../test/bench");
const names = process.argv.slice(2);
const benchmarks = readdirSync(folder)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => basename(file, ".ts"))
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
  });
  return status !== 0;
});
if (failed.length > 0) console.error(`\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length > 0 || benchmarks.length === 0 ? 1 : 0;
