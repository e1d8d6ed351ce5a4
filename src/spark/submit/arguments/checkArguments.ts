import type { ResolvedEntry, ResolvedConf } from "../conf/conf.ts";
import { problems } from "../plan/problems.ts";
import { parseJavaInt, parseSize } from "../conf/sparkValues.ts";
import type { SubmissionArguments } from "./submissionArguments.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

const shells: ReadonlySet<string> = new Set([
  "spark-shell",
  "pyspark-shell",
  "sparkr-shell",
  "connect-shell",
]);

const shellClass = "org.apache.spark.repl.Main";

/** Runs the argument checks that spark-submit makes before all Kubernetes steps, in Spark's order. */
export function checkArguments(
  asked: SubmissionArguments,
  props: ResolvedConf,
  traits: VersionTraits,
): readonly SubmissionFinding[] {
  const { typed, resource } = asked;
  const findings: SubmissionFinding[] = [];
  const check = (
    key: string,
    entry: ResolvedEntry | undefined,
    isGood: (value: string) => boolean,
    problem: (key: string, value: string, origin: ResolvedEntry["origin"]) => SubmissionFinding,
  ): void => {
    if (entry && !isGood(entry.value)) findings.push(problem(key, entry.value, entry.origin));
  };
  const isPositiveInt = (value: string): boolean => (parseJavaInt(value) ?? 0) > 0;
  const isPositiveSize = (value: string): boolean =>
    (parseSize(value, 1, traits.hasIecSizes) ?? 0n) > 0n;

  for (const key of ["spark.driver.extraJavaOptions", "spark.driver.defaultJavaOptions"]) {
    const entry = typed.get(key) ?? props.get(key);
    if (entry?.value.includes(traits.heapOption))
      findings.push(problems.heapInJavaOptions(key, entry.origin));
  }
  if (resource === undefined) findings.push(problems.noResource());
  const hasMaster = typed.has("spark.master") || typed.has("spark.submit.deployMode");
  if (asked.remote && hasMaster && !(traits.hasLocalConnect && props.has("spark.local.connect"))) {
    findings.push(problems.remoteWithMaster(asked.remote.origin));
  }
  for (const key of ["spark.driver.memory", "spark.executor.memory"]) {
    check(key, typed.get(key), isPositiveSize, problems.badMemory);
  }
  for (const key of ["spark.driver.cores", "spark.executor.cores"]) {
    check(key, typed.get(key), isPositiveInt, problems.badCores);
  }
  check("spark.cores.max", asked.totalExecutorCores, isPositiveInt, problems.badCores);
  const isDynamic = props.get("spark.dynamicAllocation.enabled")?.value.toLowerCase() === "true";
  const instances = typed.get("spark.executor.instances");
  if (instances && !isDynamic && !isPositiveInt(instances.value)) {
    findings.push(problems.badExecutorCount(instances.value, instances.origin));
  }
  if (asked.proxyUser?.value === "") findings.push(problems.emptyProxyUser(asked.proxyUser.origin));
  if (asked.proxyUser && typed.has("spark.kerberos.principal")) {
    findings.push(problems.proxyUserWithPrincipal(asked.proxyUser.origin));
  }
  return [...findings, ...checkMode(asked, traits)];
}

function checkMode(
  { typed, resource, mainClass }: SubmissionArguments,
  traits: VersionTraits,
): readonly SubmissionFinding[] {
  const mode = typed.get("spark.submit.deployMode");
  if (mode && mode.value !== "cluster" && mode.value !== "client") {
    return [problems.badDeployModeInConf(mode.value, mode.origin)];
  }
  if (mode?.value !== "cluster") return [problems.clusterModeRequired(mode?.origin)];
  if (resource && shells.has(resource.value)) {
    return [problems.shellInCluster(resource.value, resource.origin)];
  }
  if (mainClass?.value === shellClass) {
    return [problems.shellInCluster("spark-shell", mainClass.origin)];
  }
  const problem = serverProblem(mainClass?.value, traits);
  return problem === undefined ? [] : [problem(mainClass?.origin)];
}

// Returns the factory of the finding for a main class that spark-submit rejects in cluster mode: a SQL CLI or a server.
// Undefined for other classes.
function serverProblem(
  mainClass: string | undefined,
  traits: VersionTraits,
): typeof problems.sqlCliInCluster | undefined {
  switch (mainClass ?? "") {
    case "org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver":
      return problems.sqlCliInCluster;
    case "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2":
      return problems.thriftServerInCluster;
    case "org.apache.spark.sql.connect.service.SparkConnectServer":
      return traits.refusesConnectServer ? problems.connectServerInCluster : undefined;
    default:
      return undefined;
  }
}
