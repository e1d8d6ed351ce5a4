import { readAccess, type Access } from "./access.ts";
import { collectFindings } from "./collectFindings.ts";
import type { CommandLine } from "./commandLine.ts";
import { layerConf } from "./confLayers.ts";
import { parseMaster } from "./master.ts";
import { problems } from "./problems.ts";
import { readEntry, readSeconds } from "./readConf.ts";
import { resolveArguments } from "./submissionArguments.ts";
import type { Checked } from "./submissionFinding.ts";
import type { Surroundings } from "./surroundings.ts";
import type { VersionTraits } from "./versionTraits.ts";

/** Which drivers `--kill` or `--status` is about, and how this Spark version goes to them. */
export interface DriverQuery {
  /** Undefined: the one of the kubeconfig's context. */
  readonly namespace: string | undefined;
  readonly name: string;
  /** True: all drivers whose names start with `name`. */
  readonly isPrefix: boolean;
  readonly access: Access;
  /** For killing; undefined: the pod's own. */
  readonly gracePeriodSeconds: number | undefined;
  readonly readsBeforeKilling: boolean;
  /** Lets the server pick the drivers; Spark 3.3 lists all pods and picks itself. */
  readonly selectsByLabel: boolean;
}

const gracePeriodKey = "spark.kubernetes.appKillPodDeletionGracePeriod";

export function readDriverQuery(
  commandLine: CommandLine,
  submissionId: string,
  surroundings: Surroundings,
  traits: VersionTraits,
): Checked<DriverQuery> {
  const { findings, take } = collectFindings();
  const conf = take(layerConf(commandLine, surroundings));
  const { typed } = resolveArguments(commandLine, conf, surroundings, traits);
  const masterEntry = typed.get("spark.master");
  const master = take(parseMaster(masterEntry?.value ?? "local[*]", masterEntry?.origin));
  const reading = { application: { conf }, surroundings, traits };
  const gracePeriod =
    readEntry(reading, gracePeriodKey) && take(readSeconds(reading, gracePeriodKey));
  const colon = submissionId.indexOf(":");
  const name = submissionId.slice(colon + 1);
  if (name === "") findings.push(problems.noDriverName(undefined));
  return {
    value: {
      namespace: colon < 0 ? undefined : submissionId.slice(0, colon),
      // The library cuts blanks off the end of an address, where the name stands.
      name: name.endsWith("*") ? name.slice(0, -1) : name.trimEnd(),
      isPrefix: name.endsWith("*"),
      access: take(readAccess(reading, master.server)),
      // Below zero counts as none.
      gracePeriodSeconds: gracePeriod !== undefined && gracePeriod >= 0 ? gracePeriod : undefined,
      readsBeforeKilling: traits.killReadsFirst,
      selectsByLabel: traits.selectsDrivers,
    },
    findings,
  };
}
