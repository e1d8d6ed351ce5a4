import { msg } from "../../../base/message.ts";
import { err, ok, type Result } from "../../../base/result.ts";
import { deliverCode } from "../code/deliverCode.ts";
import { plannedCode } from "../code/plannedCode.ts";
import { readAccess } from "../conf/access.ts";
import { valueOf } from "../conf/conf.ts";
import { dependencyKeys } from "../conf/dependencies.ts";
import type { SubmissionEnvironment, SubmissionParts } from "../conf/environment.ts";
import {
  defaultDriverPodName,
  driverServiceName,
  newApplicationId,
  resourceNamePrefix,
  uniqueId,
  uuid,
} from "../conf/names.ts";
import { readBoolean, readConfText, readEntry, readMilliseconds } from "../conf/readConf.ts";
import { addDebugEntries, plannedDebug, withDebugger } from "../debug/plannedDebug.ts";
import { addDriverConfigMap } from "../driver/driverConfigMap.ts";
import type { DriverContext, DriverIdentity } from "../driver/driverSpec.ts";
import { buildDriverSpec } from "../driver/buildDriver.ts";
import type { SubmittedApplication } from "../driver/submittedApplication.ts";
import { addPackageEntries, plannedPackages, withPackages } from "../packages/plannedPackages.ts";
import { addShell } from "../shell/addShell.ts";
import { collectFindings } from "./collectFindings.ts";
import type { ParsedSubmission } from "./parsedSubmission.ts";
import { problems } from "./problems.ts";
import { resolveSubmission, templateKeys, type ResolvedSubmission } from "./resolveSubmission.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";
import { makePlan, type PlannedFollow, type SubmissionPlan } from "./submissionPlan.ts";

/** Resolves and plans a submission in one step, for callers that have its collected parts or need none. */
export function prepareSubmission(
  parsed: ParsedSubmission,
  given: SubmissionEnvironment,
  parts: SubmissionParts = {},
): Result<SubmissionPlan, readonly SubmissionFinding[]> {
  const resolved = resolveSubmission(parsed, given);
  return resolved.ok ? planSubmission(resolved.value, parts) : resolved;
}

/** Computes the plan of a submission without sending anything. Returns all errors, not only the first one. */
export function planSubmission(
  { sparkVersion, traits, application, submissionEnvironment, warnings }: ResolvedSubmission,
  parts: SubmissionParts,
): Result<SubmissionPlan, readonly SubmissionFinding[]> {
  const { findings, take } = collectFindings();
  findings.push(...warnings);
  const hasErrors = (): boolean => findings.some(({ severity }) => severity === "error");

  const context: DriverContext = {
    application,
    identity: newIdentity({ application, submissionEnvironment, traits }),
    sparkVersion,
    traits,
    submissionEnvironment,
    parts,
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

function checkTemplateAddresses({ conf }: SubmittedApplication): readonly SubmissionFinding[] {
  return templateKeys.flatMap((key) => {
    const entry = conf.get(key);
    return entry && /^http:/i.test(entry.value)
      ? [problems.plainHttpTemplate(key, entry.origin)]
      : [];
  });
}

function newIdentity(
  reading: Pick<DriverContext, "application" | "submissionEnvironment" | "traits">,
): DriverIdentity {
  const { conf } = reading.application;
  const { randomBytes, now } = reading.submissionEnvironment;
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
    driverPodName:
      readConfText(reading, "spark.kubernetes.driver.pod.name") ?? defaultDriverPodName(prefix),
    serviceName: driverServiceName(prefix, uniqueId(randomBytes, now)),
    configMapName: `spark-drv-${uniqueId(randomBytes, now)}-conf-map`,
    localDirectory: `/var/data/spark-${uuid(randomBytes)}`,
    uploadIds: Array.from({ length: uploadable }, () => uuid(randomBytes)),
  };
}

// Reads `waitAppCompletion` and `report.interval` before the first write. Spark reads them after it has created all
// objects, and does not clean up if they are invalid.
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
