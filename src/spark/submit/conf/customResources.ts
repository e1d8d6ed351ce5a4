import { entriesWithPrefix, valueOf } from "./conf.ts";
import type { ConfReading } from "./readConf.ts";
import { parseJavaInt } from "./sparkValues.ts";
import type { Checked, FindingOrigin, SubmissionFinding } from "../plan/submissionFinding.ts";

interface ResourceProblems {
  readonly badResourceAmount: (
    name: string,
    amount: string | undefined,
    origin: FindingOrigin | undefined,
  ) => SubmissionFinding;
  readonly resourceWithoutVendor: (
    name: string,
    origin: FindingOrigin | undefined,
  ) => SubmissionFinding;
}

/** Returns the limits for custom resources such as GPUs: amounts greater than 0 by `<vendor>/<name>`. */
export function customResources(
  { application: { conf } }: ConfReading,
  prefix: string,
  problems: ResourceProblems,
): Checked<Readonly<Record<string, string>>> {
  const entries = entriesWithPrefix(conf, prefix);
  const nameOf = (entry: { readonly name: string }): string => entry.name.split(".")[0] ?? "";
  const names = new Set(entries.map(nameOf));
  const limits: Record<string, string> = {};
  const findings: SubmissionFinding[] = [];
  for (const name of names) {
    const amount = conf.get(`${prefix}${name}.amount`);
    const count = parseJavaInt(amount?.value ?? "");
    if (count === undefined) {
      const { origin } = amount ?? entries.find((entry) => nameOf(entry) === name) ?? {};
      findings.push(problems.badResourceAmount(name, amount?.value, origin));
      continue;
    }
    if (count <= 0) continue;
    const vendor = valueOf(conf, `${prefix}${name}.vendor`);
    if (vendor === undefined) findings.push(problems.resourceWithoutVendor(name, amount?.origin));
    else limits[`${vendor}/${name}`] = `${count}`;
  }
  return { value: limits, findings };
}
