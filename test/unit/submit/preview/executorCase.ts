// Compares the pods of Spark's own builders with ours for one conf.
import { inEnglish } from "../../../../src/base/message.ts";
import { isDeepStrictEqual } from "node:util";
import type { ResolvedEntry } from "../../../../src/spark/submit/conf/conf.ts";
import type { DriverContext } from "../../../../src/spark/submit/driver/driverSpec.ts";
import { driverServiceName, resourceNamePrefix } from "../../../../src/spark/submit/conf/names.ts";
import { buildExecutor } from "../../../../src/spark/submit/executor/buildExecutor.ts";
import { executorTraits } from "../../../../src/spark/submit/executor/executorTraits.ts";
import { minorOf } from "../../../../src/spark/submit/conf/sparkVersion.ts";
import { buildDriverSpec } from "../../../../src/spark/submit/driver/buildDriver.ts";
import { versionTraits } from "../../../../src/spark/submit/conf/versionTraits.ts";
import { submissionEnvironmentOf } from "../prepared.ts";

export interface ExecutorCase {
  readonly conf: Readonly<Record<string, string>>;
  readonly driver: { readonly verdict: "OK" | "ERR" };
  readonly executor:
    | { readonly verdict: "OK"; readonly pod: unknown }
    | { readonly verdict: "ERR"; readonly error: string };
}

// As long as Spark's random id, because host names are truncated.
const drawn = "uid0123456789abc";

/** Returns one line per difference. */
export function checkExecutorCase(recorded: ExecutorCase, version: string): readonly string[] {
  const { value: pod, findings } = buildExecutor(contextOf(recorded, version));
  const errors = findings.filter(({ severity }) => severity === "error");
  const { executor } = recorded;
  if (executor.verdict === "ERR") {
    return errors.length > 0 ? [] : [`Spark refuses it: ${executor.error}`];
  }
  if (errors.length > 0)
    return errors.map(({ message }) => `Spark makes a pod: ${inEnglish(message)}`);
  return compare(canonical(executor.pod), canonical(pod), "");
}

function contextOf({ conf: own, driver }: ExecutorCase, version: string) {
  const { "@main": main = "java", ...given } = own;
  const minor = minorOf(version);
  if (minor === undefined) throw new Error(`no line of Spark: ${version}`);
  const traits = versionTraits[minor];
  const set = {
    "spark.app.name": "n",
    "spark.kubernetes.container.image": "img",
    "spark.master": "k8s://https://h:1",
    ...given,
  };
  const conf = confOf(set);
  const prefix = resourceNamePrefix(set["spark.app.name"], drawn);
  const submissionEnvironment = submissionEnvironmentOf({ environment: { SPARK_USER: "root" } });
  const localDirectory = "/var/data/spark-UUID";
  const driverContext: DriverContext = {
    application: {
      conf,
      kind: main === "python" || main === "r" ? main : "java",
      resource: { value: "local:///a.jar", origin: { kind: "computed" } },
      mainClass: "C",
      arguments: [],
      proxyUser: undefined,
      server: "https://h:1",
    },
    identity: {
      applicationId: "spark-appid",
      prefix,
      namespace: conf.get("spark.kubernetes.namespace")?.value ?? "default",
      driverPodName: conf.get("spark.kubernetes.driver.pod.name")?.value ?? `${prefix}-driver`,
      serviceName: driverServiceName(prefix, drawn),
      configMapName: "c",
      localDirectory,
      uploadIds: [],
    },
    sparkVersion: version,
    traits,
    submissionEnvironment,
    parts: {},
  };
  // A recorded executor without a driver knows only the driver's address.
  const properties: ReadonlyMap<string, string> =
    driver.verdict === "OK" ? buildDriverSpec(driverContext).systemProperties : new Map();
  const whole = confOf({
    "spark.driver.host": "h",
    "spark.driver.port": "7078",
    ...set,
    ...Object.fromEntries(properties),
  });
  return {
    application: { conf: whole },
    submissionEnvironment: { environment: { SPARK_USER: "root" } },
    sparkVersion: version,
    traits,
    executorTraits: executorTraits[minor],
    applicationId: "spark-appid",
    executorId: "1",
    podNamePrefix: prefix,
    configMapName: "spark-exec-UID-conf-map",
    confFiles: [],
    localDirectory,
    template: undefined,
  };
}

const confOf = (values: Readonly<Record<string, string>>): ReadonlyMap<string, ResolvedEntry> =>
  new Map(
    Object.entries(values).map(([key, value]) => [key, { value, origin: { kind: "computed" } }]),
  );

// Spark orders JVM options and volumes by hash, and shuffles scratch directories.
function canonical(pod: unknown): unknown {
  const text = JSON.stringify(pod).replaceAll(drawn, "UID");
  return sortLists(JSON.parse(text.replaceAll(/SPARK_JAVA_OPT_[0-9]+/g, "SPARK_JAVA_OPT")), "");
}

function sortLists(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => sortLists(item, key));
    if (key === "env") {
      return items
        .map((item) =>
          JSON.stringify(item).includes('"SPARK_JAVA_OPT"') ? "an option, below" : item,
        )
        .concat(
          items.filter((item) => JSON.stringify(item).includes('"SPARK_JAVA_OPT"')).sort(byText),
        );
    }
    return ["volumes", "volumeMounts"].includes(key) ? items.sort(byText) : items;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, child]: [string, unknown]) => [name, sortLists(child, name)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function compare(expected: unknown, actual: unknown, path: string): readonly string[] {
  if (isDeepStrictEqual(expected, actual)) return [];
  if (isRecord(expected) && isRecord(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => compare(expected[key], actual[key], `${path}.${key}`));
  }
  return [`${path}: Spark has ${JSON.stringify(expected)}, we have ${JSON.stringify(actual)}`];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;
