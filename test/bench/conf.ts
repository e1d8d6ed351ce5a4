// From a keystroke to the findings: a conf file of 10,000 lines, with all rules, changed in one place each time.
import { openConf } from "../../src/editor/conf/door.ts";

const lines = 10_000;
const wantedMs = 16;
const rounds = 60;

const kinds = [
  (index: number) => `spark.executorEnv.NAME_${index} value-${index}`,
  (index: number) => `spark.kubernetes.driver.label.label-${index} value-${index}`,
  (index: number) => `spark.hadoop.fs.s3a.bucket.b${index}.endpoint http://host-${index}:9000`,
  (index: number) => `spark.sql.catalog.c${index} org.example.Catalog${index}`,
  (index: number) => `# a comment of line ${index}`,
];
const text = Array.from({ length: lines }, (_, index) => kinds[index % kinds.length]?.(index)).join(
  "\n",
);
const help = openConf();
const times: number[] = [];
for (let round = 0; round < rounds; round++) {
  const typed = `${text}\nspark.executor.cores ${round}`;
  const start = process.cpuUsage();
  help.diagnose(typed, "properties", "4.3");
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / 1000);
}
const settled = times.slice(rounds / 2).sort((a, b) => a - b);
const median = settled[settled.length >> 1] ?? 0;
console.log(
  `${lines.toLocaleString("en-US")} lines, ${Math.round(text.length / 1024)} KiB: findings after ` +
    `${median.toFixed(1)} ms of processor time (first ${times[0]?.toFixed(0) ?? ""} ms, slowest ${settled.at(-1)?.toFixed(1) ?? ""} ms)`,
);
if (median > wantedMs) {
  console.error(`More than ${wantedMs} ms.`);
  process.exitCode = 1;
}
