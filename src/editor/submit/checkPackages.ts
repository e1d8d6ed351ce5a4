import type { Memento } from "vscode";
import { wantedPackages } from "../../spark/submit/maven/mavenPackages.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";

/**
 * Requests URLs and returns whether each exists. The value of a URL is undefined or missing if the server did not
 * respond.
 */
export type ProbeTexts = (
  addresses: readonly string[],
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, boolean | undefined>>;

export interface CheckedPackages {
  /** The packages of which every repository reported that it does not have them. */
  readonly missing: readonly string[];
  /** The packages that no repository reported as found, while at least one repository did not respond. */
  readonly unknown: readonly string[];
}

const foundKey = "sparkK8s.foundPackages";
const maxFound = 200;
const limitMs = 5_000;

/**
 * Looks for the packages of `spark.jars.packages` in the repositories that Spark will use, for at most 5 s. Skips
 * packages that an earlier call found. `written`: the document before variable substitution.
 */
export async function checkPackages(
  { conf }: Pick<SubmissionPlan, "conf">,
  written: string,
  { probe, memory }: { readonly probe: ProbeTexts; readonly memory: Memento },
  signal: AbortSignal,
): Promise<CheckedPackages> {
  const known = memory.get<readonly string[]>(foundKey, []);
  const wanted = wantedPackages(conf, (value) => written.includes(value)).filter(
    ({ addresses }) => !addresses.some((address) => known.includes(address)),
  );
  const missing: string[] = [];
  const unknown: string[] = [];
  const found: string[] = [];
  const limit = AbortSignal.timeout(limitMs);
  for (const { coordinates, addresses } of wanted) {
    let isUnknown = false;
    let place: string | undefined;
    for (const address of addresses) {
      const answer = await answerOf(address, probe, limit, signal);
      if (answer === true) place = address;
      isUnknown ||= answer === undefined;
      if (place !== undefined) break;
    }
    if (place !== undefined) found.push(place);
    else if (isUnknown) unknown.push(coordinates);
    else missing.push(coordinates);
  }
  if (found.length > 0) await memory.update(foundKey, [...found, ...known].slice(0, maxFound));
  return { missing, unknown };
}

async function answerOf(
  address: string,
  probe: ProbeTexts,
  limit: AbortSignal,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const isLate = (): boolean => limit.aborted;
  if (isLate()) return undefined;
  try {
    return (await probe([address], AbortSignal.any([limit, signal]))).get(address);
  } catch (error) {
    signal.throwIfAborted();
    if (!isLate()) throw error;
    return undefined;
  }
}
