import { err, ok, type Result } from "../../base/result.ts";
import { readAccess } from "./access.ts";
import { buildApplication, type Application } from "./application.ts";
import { checkArguments } from "./checkArguments.ts";
import { collectFindings } from "./collectFindings.ts";
import { parseCommandLine } from "./commandLine.ts";
import { valueOf } from "./conf.ts";
import { layerConf } from "./confLayers.ts";
import { dependencyKeys } from "./dependencies.ts";
import { addDriverConfigMap } from "./driverConfigMap.ts";
import { readDriverQuery, type DriverQuery } from "./driverQuery.ts";
import type { DriverContext, Identity } from "./driverSpec.ts";
import { readEnvironmentScript } from "./environmentScript.ts";
import {
  driverServiceName,
  newApplicationId,
  resourceNamePrefix,
  uniqueId,
  uuid,
} from "./names.ts";
import { problems } from "./problems.ts";
import { readBoolean, readEntry, readMilliseconds, readText } from "./readConf.ts";
import { minorOf } from "./sparkVersion.ts";
import { buildDriverSpec } from "./steps/driverSteps.ts";
import { resolveArguments } from "./submissionArguments.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";
import { fallbacksOf, submissionTokens, type SubmissionInput } from "./submissionInput.ts";
import { makePlan, type Follow, type SubmissionPlan } from "./submissionPlan.ts";
import type { Surroundings } from "./surroundings.ts";
import { versionTraits, type VersionTraits } from "./versionTraits.ts";

/** What a command line wants done; only the first sends an application. */
export type Command =
  | { readonly kind: "submit"; readonly plan: SubmissionPlan }
  | { readonly kind: "kill" | "status"; readonly query: DriverQuery }
  | { readonly kind: "version" }
  /** Tell how the command is used, and end with this code. */
  | { readonly kind: "usage"; readonly exitCode: 0 | 1 | 255 };

/** Reads a whole command line as spark-submit does, with all that it can ask for. */
export function prepareCommand(
  input: SubmissionInput,
  given: Surroundings,
): Result<Command, readonly SubmissionFinding[]> {
  const minor = minorOf(input.sparkVersion);
  if (minor === undefined) return err([problems.unknownSparkVersion(input.sparkVersion)]);
  const traits = versionTraits[minor];
  const tokens = readTokens(input, traits);
  const commandLine = parseCommandLine(tokens, traits);
  if (commandLine.findings.length > 0) return err(commandLine.findings);
  const uses = commandLine.options.map(({ name }) => name);
  if (tokens.length === 0) return ok({ kind: "usage", exitCode: 255 });
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
    const plan = prepareSubmission(input, given);
    return plan.ok ? ok({ kind: "submit", plan: plan.value }) : plan;
  }
  const query = readDriverQuery(commandLine, action.value, given, traits);
  if (query.findings.some(({ severity }) => severity === "error")) return err(query.findings);
  return ok({ kind: action.name === "--kill" ? "kill" : "status", query: query.value });
}

/**
 * Everything between what the user asks for and what will be sent. Nothing is written or sent here. The
 * errors are all that were found, not only the first.
 */
export function prepareSubmission(
  input: SubmissionInput,
  given: Surroundings,
): Result<SubmissionPlan, readonly SubmissionFinding[]> {
  const minor = minorOf(input.sparkVersion);
  if (minor === undefined) return err([problems.unknownSparkVersion(input.sparkVersion)]);
  const traits = versionTraits[minor];
  const { findings, take } = collectFindings();
  const hasErrors = (): boolean => findings.some(({ severity }) => severity === "error");

  const surroundings = { ...given, environment: take(readEnvironmentScript(given)) };
  const commandLine = parseCommandLine(readTokens(input, traits), traits);
  findings.push(...commandLine.findings);
  if (hasErrors()) return err(findings);
  const props = take(layerConf(commandLine, surroundings, fallbacksOf(input)));
  const asked = resolveArguments(commandLine, props, surroundings, traits);
  findings.push(...checkArguments(asked, props, traits));
  if (hasErrors()) return err(findings);
  const application = take(buildApplication(asked, props, surroundings, traits));
  if (hasErrors()) return err(findings);

  const context: DriverContext = {
    application,
    identity: newIdentity({ application, surroundings, traits }),
    sparkVersion: input.sparkVersion,
    traits,
    surroundings,
  };
  if (context.identity.namespace === "") {
    const key = "spark.kubernetes.namespace";
    findings.push(problems.badValue(key, "", "a namespace", readEntry(context, key)?.origin));
  }
  const access = take(readAccess(context, application.server));
  const follow = take(readFollow(context));
  findings.push(...checkTemplateAddresses(application));
  const spec = addDriverConfigMap(buildDriverSpec(context), context);
  findings.push(...spec.findings);
  if (hasErrors()) return err(findings);
  return ok(makePlan(spec, context, { access, follow, warnings: findings }));
}

/**
 * Addresses whose texts belong into `Surroundings.fetched` before the submission is prepared: a pod
 * template may lie on a web server, and nothing is fetched here.
 */
export function addressesToFetch(input: SubmissionInput, given: Surroundings): readonly string[] {
  const minor = minorOf(input.sparkVersion);
  if (minor === undefined) return [];
  const traits = versionTraits[minor];
  const commandLine = parseCommandLine(readTokens(input, traits), traits);
  const { value: props } = layerConf(commandLine, given, fallbacksOf(input));
  return templateKeys
    .map((key) => valueOf(props, key) ?? "")
    .filter((uri) => /^https?:/i.test(uri));
}

const templateKeys = [
  "spark.kubernetes.driver.podTemplateFile",
  "spark.kubernetes.executor.podTemplateFile",
];

function checkTemplateAddresses({ conf }: Application): readonly SubmissionFinding[] {
  return templateKeys.flatMap((key) => {
    const entry = conf.get(key);
    return entry && /^http:/i.test(entry.value)
      ? [problems.plainHttpTemplate(entry.value, key, entry.origin)]
      : [];
  });
}

function readTokens(input: SubmissionInput, traits: VersionTraits): readonly string[] {
  const tokens = submissionTokens(input);
  return traits.dropsCarriageReturns ? tokens.map((token) => token.replaceAll("\r", "")) : tokens;
}

function newIdentity(
  reading: Pick<DriverContext, "application" | "surroundings" | "traits">,
): Identity {
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
    namespace: readText(reading, "spark.kubernetes.namespace") ?? "default",
    driverPodName: readText(reading, "spark.kubernetes.driver.pod.name") ?? `${prefix}-driver`,
    serviceName: driverServiceName(prefix, uniqueId(randomBytes, now)),
    configMapName: `spark-drv-${uniqueId(randomBytes, now)}-conf-map`,
    localDirectory: `/var/data/spark-${uuid(randomBytes)}`,
    uploadIds: Array.from({ length: uploadable }, () => uuid(randomBytes)),
  };
}

// Spark reads these two only after it has created everything, and then leaves it all behind.
function readFollow(context: DriverContext): Checked<Follow> {
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
        : [problems.badValue(intervalKey, entry?.value ?? "", "a time above zero", entry?.origin)]),
    ],
  };
}
