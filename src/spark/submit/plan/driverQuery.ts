import { readAccess, type ConfAccess } from "../conf/access.ts";
import { collectFindings } from "./collectFindings.ts";
import type { CommandLine } from "../arguments/commandLine.ts";
import { layerConf } from "../conf/confLayers.ts";
import { parseMaster } from "../conf/master.ts";
import { problems } from "./problems.ts";
import { readEntry, readSeconds } from "../conf/readConf.ts";
import { resolveArguments } from "../arguments/submissionArguments.ts";
import type { Checked } from "./submissionFinding.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** The drivers that `--kill` or `--status` selects, and how this Spark version requests them. */
export interface DriverQuery {
  /** The namespace of the drivers. Undefined: that of the kubeconfig's context. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** True if all drivers whose names start with `name` are selected. */
  readonly isPrefix: boolean;
  readonly access: ConfAccess;
  /** The grace period for the deletion of the pod. Undefined: `terminationGracePeriodSeconds` of the pod applies. */
  readonly gracePeriodSeconds: number | undefined;
  readonly readsBeforeKilling: boolean;
  /** True if the server filters by label. Spark 3.3 lists all pods and filters them itself. */
  readonly selectsByLabel: boolean;
}

const gracePeriodKey = "spark.kubernetes.appKillPodDeletionGracePeriod";

export function readDriverQuery(
  commandLine: CommandLine,
  submissionId: string,
  submissionEnvironment: SubmissionEnvironment,
  traits: VersionTraits,
): Checked<DriverQuery> {
  const { findings, take } = collectFindings();
  const conf = take(layerConf(commandLine, submissionEnvironment));
  const { typed } = resolveArguments(commandLine, conf, submissionEnvironment, traits);
  const masterEntry = typed.get("spark.master");
  const master = take(parseMaster(masterEntry?.value ?? "local[*]", masterEntry?.origin));
  const reading = { application: { conf }, submissionEnvironment, traits };
  const gracePeriod =
    readEntry(reading, gracePeriodKey) && take(readSeconds(reading, gracePeriodKey));
  const colon = submissionId.indexOf(":");
  const name = submissionId.slice(colon + 1);
  if (name === "") findings.push(problems.noDriverName(undefined));
  return {
    value: {
      namespace: colon < 0 ? undefined : submissionId.slice(0, colon),
      // Trims the end of the name as Spark's client library does: it trims the request's address, which ends with the
      // name.
      name: name.endsWith("*") ? name.slice(0, -1) : name.trimEnd(),
      isPrefix: name.endsWith("*"),
      access: take(readAccess(reading, master.server)),
      // Spark ignores a negative grace period.
      gracePeriodSeconds: gracePeriod !== undefined && gracePeriod >= 0 ? gracePeriod : undefined,
      readsBeforeKilling: traits.killReadsFirst,
      selectsByLabel: traits.selectsDrivers,
    },
    findings,
  };
}
