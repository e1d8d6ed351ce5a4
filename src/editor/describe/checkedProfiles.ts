import type { CheckedProfile } from "../../spark/clusterCheck/clusterReport.ts";
import type { ResolvedConf } from "../../spark/submit/conf/conf.ts";
import { newestMinor } from "../../spark/submit/conf/sparkVersion.ts";
import { podSums } from "../../spark/submit/preview/podSums.ts";
import { profilesIn } from "../../spark/submit/profile/profilesText.ts";
import { readSurface } from "../../spark/surfaces/surfaces.ts";
import { versionOfDocument } from "../../spark/surfaces/versionOfDocument.ts";

/** Returns the run profiles of a tasks.json or workspace file, with the resource requests of their pods. */
export function checkedProfilesOf(text: string, unnamed: string): readonly CheckedProfile[] {
  const profiles = profilesIn(text);
  return readSurface(text, "profiles").flatMap((document, index): CheckedProfile[] => {
    const { entries, elsewhere = [], application = {} } = document;
    const conf = new Map(
      [...elsewhere, ...entries].map(({ key, value }) => [
        key,
        { value: value.trim(), origin: { kind: "computed" as const } },
      ]),
    );
    const known = versionOfDocument(document);
    const version = known ?? newestMinor;
    const { driver, executor } = podSums(conf, application.language ?? "java", "cluster", version);
    const pods = [
      ...(driver === undefined ? [] : [{ role: "driver" as const, totals: driver }]),
      ...(executor === undefined
        ? []
        : [{ role: "executor" as const, totals: executor, count: executorsIn(conf) }]),
    ];
    return [{ name: profiles[index]?.label ?? unnamed, minor: known, pods }];
  });
}

/** Returns the number of executors; undefined with dynamic allocation or an invalid number. */
function executorsIn(conf: ResolvedConf): number | undefined {
  if (conf.get("spark.dynamicAllocation.enabled")?.value === "true") return undefined;
  // 2 is Spark's default on Kubernetes.
  const count = Number(conf.get("spark.executor.instances")?.value ?? 2);
  return Number.isInteger(count) ? count : undefined;
}
