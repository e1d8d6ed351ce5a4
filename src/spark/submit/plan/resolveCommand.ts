import { err, ok, type Result } from "../../../base/result.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";
import { readDriverQuery, type DriverQuery } from "./driverQuery.ts";
import type { ParsedSubmission } from "./parsedSubmission.ts";
import { problems } from "./problems.ts";
import { resolveSubmission, type ResolvedSubmission } from "./resolveSubmission.ts";
import type { SubmissionFinding } from "./submissionFinding.ts";

/** The action that a command line requests. Only `submit` creates an application. */
type Command =
  | { readonly kind: "submit"; readonly resolved: ResolvedSubmission }
  | { readonly kind: "kill" | "status"; readonly query: DriverQuery }
  | { readonly kind: "version" }
  /** Prints the usage text and exits with this code. */
  | { readonly kind: "usage"; readonly exitCode: 0 | 1 | 255 };

/** Selects the action of a command line in the same way as spark-submit. */
export function resolveCommand(
  parsed: ParsedSubmission,
  given: SubmissionEnvironment,
): Result<Command, readonly SubmissionFinding[]> {
  if (parsed.findings.length > 0) return err(parsed.findings);
  const { commandLine } = parsed;
  const uses = commandLine.options.map(({ name }) => name);
  if (uses.length === 0 && commandLine.resource === undefined)
    return ok({ kind: "usage", exitCode: 255 });
  if (uses.includes("--usage-error")) return ok({ kind: "usage", exitCode: 1 });
  if (uses.includes("--help")) return ok({ kind: "usage", exitCode: 0 });
  if (uses.includes("--version")) return ok({ kind: "version" });
  const [action, another] = commandLine.options.filter(
    ({ name }) => name === "--kill" || name === "--status",
  );
  if (action && another) {
    return err([problems.killAndStatus({ kind: "argument", token: another.token })]);
  }
  if (action === undefined) {
    const resolved = resolveSubmission(parsed, given);
    return resolved.ok ? ok({ kind: "submit", resolved: resolved.value }) : resolved;
  }
  const query = readDriverQuery(commandLine, action.value, given, parsed.traits);
  if (query.findings.some(({ severity }) => severity === "error")) return err(query.findings);
  return ok({ kind: action.name === "--kill" ? "kill" : "status", query: query.value });
}
