import { msg } from "../../../base/message.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { readAccess } from "../conf/access.ts";
import { buildApplication, type SubmittedApplication } from "../driver/submittedApplication.ts";
import { checkArguments } from "../arguments/checkArguments.ts";
import { codeRequest, localPathOf } from "../code/codeRequest.ts";
import { deliverCode } from "../code/deliverCode.ts";
import { plannedCode } from "../code/plannedCode.ts";
import type { CodeRequest } from "../code/sentCode.ts";
import { addDebugEntries, plannedDebug, withDebugger } from "../debug/plannedDebug.ts";
import { addPackageEntries, plannedPackages, withPackages } from "../packages/plannedPackages.ts";
import { collectFindings } from "./collectFindings.ts";
import { type ResolvedEntry, valueOf } from "../conf/conf.ts";
import { layerConf } from "../conf/confLayers.ts";
import { dependencyKeys, isLocalFile } from "../conf/dependencies.ts";
import { addDriverConfigMap } from "../driver/driverConfigMap.ts";
import { readDriverQuery, type DriverQuery } from "./driverQuery.ts";
import type { DriverContext, DriverIdentity } from "../driver/driverSpec.ts";
import { readEnvironmentScript } from "../arguments/environmentScript.ts";
import {
  driverServiceName,
  newApplicationId,
  resourceNamePrefix,
  uniqueId,
  uuid,
} from "../conf/names.ts";
import { problems } from "./problems.ts";
import { readBoolean, readEntry, readMilliseconds, readConfText } from "../conf/readConf.ts";
import { buildDriverSpec } from "../driver/steps/driverSteps.ts";
import { resolveArguments } from "../arguments/submissionArguments.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";
import type { ParsedSubmission } from "./parsedSubmission.ts";
import { fallbacksOf } from "./submissionInput.ts";
import { addShell } from "../shell/addShell.ts";
import { makePlan, type PlannedFollow, type SubmissionPlan } from "./submissionPlan.ts";
import type { SubmissionEnvironment } from "../conf/environment.ts";

/** The action of a command line; only `submit` creates an application. */
type Command =
  | { readonly kind: "submit"; readonly plan: SubmissionPlan }
  | { readonly kind: "kill" | "status"; readonly query: DriverQuery }
  | { readonly kind: "version" }
  /** Print the usage text and exit with this code. */
  | { readonly kind: "usage"; readonly exitCode: 0 | 1 | 255 };

/** Selects the action of a command line like spark-submit. */
export function prepareCommand(
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
    const plan = prepareSubmission(parsed, given);
    return plan.ok ? ok({ kind: "submit", plan: plan.value }) : plan;
  }
  const query = readDriverQuery(commandLine, action.value, given, parsed.traits);
  if (query.findings.some(({ severity }) => severity === "error")) return err(query.findings);
  return ok({ kind: action.name === "--kill" ? "kill" : "status", query: query.value });
}

/**
 * Computes everything that a submission will send, without sending anything. Errors are collected, not only
 * the first one.
 */
export function prepareSubmission(
  parsed: ParsedSubmission,
  given: SubmissionEnvironment,
): Result<SubmissionPlan, readonly SubmissionFinding[]> {
  const read = readApplication(parsed, given);
  if (!read.ok) return read;
  const { application, surroundings, warnings } = read.value;
  const { input, traits } = parsed;
  const { findings, take } = collectFindings();
  findings.push(...warnings);
  const hasErrors = (): boolean => findings.some(({ severity }) => severity === "error");

  const context: DriverContext = {
    application,
    identity: newIdentity({ application, surroundings, traits }),
    sparkVersion: input.sparkVersion,
    traits,
    surroundings,
  };
  if (context.identity.namespace === "") {
    const key = "spark.kubernetes.namespace";
    findings.push(problems.badValue(key, "", msg("a namespace"), readEntry(context, key)?.origin));
  }
  const access = take(readAccess(context, application.server));
  const follow = take(readFollow(context));
  findings.push(...checkTemplateAddresses(application));
  const debug = plannedDebug(context);
  const packages = plannedPackages(context);
  const code = plannedCode(withPackages(withDebugger(context, debug), packages));
  findings.push(...(code?.findings ?? []));
  const delivered = deliverCode(buildDriverSpec(context), context, code);
  const debugged = addDebugEntries(delivered, context, debug);
  const withConf = addDriverConfigMap(
    addPackageEntries(debugged, context, packages),
    context,
    debug?.script,
  );
  const spec = addShell(withConf, context);
  findings.push(...spec.findings);
  if (hasErrors()) return err(findings);
  return ok(makePlan(spec, context, { access, follow, code, debug, warnings: findings }));
}

interface ReadApplication {
  readonly application: SubmittedApplication;
  /** With the variables of the environment script. */
  readonly surroundings: SubmissionEnvironment;
  readonly warnings: readonly SubmissionFinding[];
}

/** The application of a command line with its final conf. */
function readApplication(
  { input, traits, commandLine, findings: misread }: ParsedSubmission,
  given: SubmissionEnvironment,
): Result<ReadApplication, readonly SubmissionFinding[]> {
  if (misread.length > 0) return err(misread);
  const { findings, take } = collectFindings();
  const hasErrors = (): boolean => findings.some(({ severity }) => severity === "error");
  const surroundings = { ...given, environment: take(readEnvironmentScript(given)) };
  const props = take(layerConf(commandLine, surroundings, fallbacksOf(input)));
  const asked = resolveArguments(commandLine, props, surroundings, traits);
  findings.push(...checkArguments(asked, props, traits));
  if (hasErrors()) return err(findings);
  const application = take(buildApplication(asked, props, surroundings, traits));
  return hasErrors() ? err(findings) : ok({ application, surroundings, warnings: findings });
}

/**
 * The local files that the application needs. Collect them into `SubmissionEnvironment.code` before preparing the
 * submission. Undefined if there are none, if the conf has an upload path, or if the submission is invalid.
 */
export function codeToSend(
  parsed: ParsedSubmission,
  given: SubmissionEnvironment,
): CodeRequest | undefined {
  const read = readApplication(parsed, given);
  return read.ok ? codeRequest({ ...read.value, traits: parsed.traits }) : undefined;
}

/** The path of a Python program on the local disk. Undefined for others, and if the submission is invalid. */
export function localPythonProgram(
  parsed: ParsedSubmission,
  given: SubmissionEnvironment,
): string | undefined {
  const read = readApplication(parsed, given);
  if (!read.ok) return undefined;
  const { kind, resource } = read.value.application;
  return kind === "python" && resource !== undefined && isLocalFile(resource.value)
    ? localPathOf(resource.value)
    : undefined;
}

/**
 * The http(s) addresses of pod templates. Fetch their texts into `SubmissionEnvironment.fetched` before
 * preparing the submission.
 */
export function addressesToFetch(
  { input, commandLine, findings }: ParsedSubmission,
  given: SubmissionEnvironment,
): readonly ResolvedEntry[] {
  if (findings.length > 0) return [];
  const { value: props } = layerConf(commandLine, given, fallbacksOf(input));
  return templateKeys
    .map((key) => props.get(key))
    .filter((entry) => entry !== undefined)
    .filter(({ value }) => /^https?:/i.test(value));
}

const templateKeys = [
  "spark.kubernetes.driver.podTemplateFile",
  "spark.kubernetes.executor.podTemplateFile",
];

function checkTemplateAddresses({ conf }: SubmittedApplication): readonly SubmissionFinding[] {
  return templateKeys.flatMap((key) => {
    const entry = conf.get(key);
    return entry && /^http:/i.test(entry.value)
      ? [problems.plainHttpTemplate(key, entry.origin)]
      : [];
  });
}

function newIdentity(
  reading: Pick<DriverContext, "application" | "surroundings" | "traits">,
): DriverIdentity {
  const { conf } = reading.application;
  const { randomBytes, now } = reading.surroundings;
  const prefix = resourceNamePrefix(
    valueOf(conf, "spark.app.name") ?? "spark",
    uniqueId(randomBytes, now),
  );
  const uploadable = dependencyKeys.reduce(
    (count, key) => count + (valueOf(conf, key) ?? "").split(",").length,
    1,
  );
  return {
    applicationId: newApplicationId(randomBytes),
    prefix,
    namespace: readConfText(reading, "spark.kubernetes.namespace") ?? "default",
    driverPodName: readConfText(reading, "spark.kubernetes.driver.pod.name") ?? `${prefix}-driver`,
    serviceName: driverServiceName(prefix, uniqueId(randomBytes, now)),
    configMapName: `spark-drv-${uniqueId(randomBytes, now)}-conf-map`,
    localDirectory: `/var/data/spark-${uuid(randomBytes)}`,
    uploadIds: Array.from({ length: uploadable }, () => uuid(randomBytes)),
  };
}

// Spark reads these two keys after it has created all objects, and does not clean up if they are invalid.
function readFollow(context: DriverContext): Checked<PlannedFollow> {
  const intervalKey = "spark.kubernetes.report.interval";
  const waits = readBoolean(context, "spark.kubernetes.submission.waitAppCompletion", true);
  if (!waits.value) return { value: { kind: "none" }, findings: waits.findings };
  const interval = readMilliseconds(context, intervalKey, 1000);
  const entry = readEntry(context, intervalKey);
  const isPositive = interval.value > 0;
  return {
    value: { kind: "untilEnd", reportIntervalMs: interval.value },
    findings: [
      ...waits.findings,
      ...interval.findings,
      ...(isPositive
        ? []
        : [
            problems.badValue(
              intervalKey,
              entry?.value ?? "",
              msg("a positive time"),
              entry?.origin,
            ),
          ]),
    ],
  };
}
