import { inEnglish } from "../src/base/message.ts";
import { describePod, describeRow } from "../src/spark/diagnosis/describe.ts";
import type { Diagnosis } from "../src/spark/diagnosis/diagnosis.ts";
import type { DriverReport } from "../src/spark/diagnosis/driverReport.ts";
import type { Application, SparkPod } from "../src/spark/pods/application.ts";
import { executorsOf } from "../src/spark/pods/applicationRun.ts";

/** Returns the tree rows of an application as text, without ages: its own row, then the rows of its pods. */
export function treeText(
  application: Application,
  report: DriverReport | undefined,
  diagnose: (pod: SparkPod) => readonly Diagnosis[],
  now: number,
): string {
  const { row } = describeRow(application, report, diagnose, now);
  const line = (name: string, pod: SparkPod): string =>
    `  ${name}: ${inEnglish(describePod(pod.state, diagnose(pod)[0]))}`;
  return [
    `${application.name}: ${inEnglish(row)}`,
    ...(application.driver === undefined ? [] : [line("driver", application.driver)]),
    ...[...executorsOf(application)].map((executor) =>
      line(`executor ${executor.executorId ?? "?"}`, executor),
    ),
  ].join("\n");
}
