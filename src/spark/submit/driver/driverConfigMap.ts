import { msg } from "../../../base/message.ts";
import { confDirectory } from "../conf/confLayers.ts";
import type { DriverContext, DriverSpec } from "./driverSpec.ts";
import { addResource } from "./driverSpec.ts";
import { addFindings, addVariable, mountVolume } from "./podSpec.ts";
import { environmentScript } from "../debug/jvmWatchdog.ts";
import { printJavaProperties } from "../conf/javaProperties.ts";
import { absolutePath } from "../arguments/localPath.ts";
import { problems } from "../plan/problems.ts";
import { readEntry, readInt } from "../conf/readConf.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";
import { utcDate } from "../arguments/utcDate.ts";

const maxSizeKey = "spark.kubernetes.configMap.maxSize";
const maxMapSize = 1_048_576;
const mountPath = "/opt/spark/conf";
const volume = "spark-conf-volume-driver";
const propertiesFile = "spark.properties";
// Octal 0644: all users can read the files.
const fileMode = 420;

/**
 * Adds the ConfigMap from which the driver reads its conf. The ConfigMap contains the final conf, overridden by the
 * steps' properties, and the files of the submitter's conf directory. `script`: precedes the text of the submitter's
 * `spark-env.sh`.
 */
export function addDriverConfigMap(
  spec: DriverSpec,
  context: DriverContext,
  script?: string,
): DriverSpec {
  const { identity, application, submissionEnvironment, traits } = context;
  const files = confFiles(context);
  const properties = new Map([
    ...[...application.conf].map(([key, { value }]) => [key, value] as const),
    ...spec.systemProperties,
  ]);
  const texts = {
    ...files.texts,
    ...(script === undefined
      ? {}
      : { [environmentScript]: `${script}${files.texts[environmentScript] ?? ""}` }),
    [propertiesFile]: printJavaProperties(properties, [
      `Java properties built from Kubernetes config map with name: ${identity.configMapName}`,
      utcDate(submissionEnvironment.now),
    ]),
  };
  const items = Object.keys(texts)
    .sort()
    .map((key) => ({ key, mode: fileMode, path: key }));
  const mounted = mountVolume(
    addVariable(spec, "SPARK_CONF_DIR", mountPath),
    { name: volume, configMap: { name: identity.configMapName, items } },
    { mountPath },
  );
  return addResource(addFindings(mounted, files.findings), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: identity.configMapName,
      namespace: identity.namespace,
      ...(traits.writesEmptyMaps ? { labels: {} } : {}),
    },
    immutable: true,
    data: { ...texts, "spark.kubernetes.namespace": identity.namespace },
  });
}

interface ConfFiles {
  readonly texts: Readonly<Record<string, string>>;
  readonly findings: readonly SubmissionFinding[];
}

// Adds the smallest files first, so that as many as possible fit.
function confFiles(context: DriverContext): ConfFiles {
  const { submissionEnvironment } = context;
  const directory = confDirectory(submissionEnvironment.environment);
  const maxSize = readInt(context, maxSizeKey, maxMapSize);
  const findings: SubmissionFinding[] = [...maxSize.findings];
  if (maxSize.value > maxMapSize) {
    const entry = readEntry(context, maxSizeKey);
    const expected = msg`at most ${maxMapSize}`;
    findings.push(problems.badValue(maxSizeKey, `${maxSize.value}`, expected, entry?.origin));
  }
  if (directory === undefined) return { texts: {}, findings };
  const root = absolutePath(directory, submissionEnvironment.workingDirectory);
  const candidates = submissionEnvironment.files
    .names(root)
    .filter((name) => !isLeftOut(name))
    .flatMap((name) => {
      const file = submissionEnvironment.files.text(`${root}/${name}`);
      return file === undefined ? [] : [{ name, ...file, size: name.length + file.byteLength }];
    })
    .filter(({ size }) => size <= maxSize.value)
    .sort((a, b) => a.size - b.size);

  const texts: Record<string, string> = {};
  const tooLarge: string[] = [];
  let total = 0;
  for (const { name, text, isUtf8 } of candidates) {
    if (!isUtf8) {
      findings.push(problems.confFileNotUtf8(`${root}/${name}`));
      continue;
    }
    // Counts characters here and bytes above, as Spark does.
    const length = name.length + text.length;
    if (total + length < maxSize.value) {
      texts[name] = text;
      total += length;
    } else tooLarge.push(name);
  }
  if (tooLarge.length > 0) findings.push(problems.confFilesTooLarge(tooLarge, maxSize.value));
  return { texts, findings };
}

function isLeftOut(name: string): boolean {
  return /\.(?:gz|zip|jar|tar|template)$/.test(name) || /^spark.*(?:conf|properties)$/.test(name);
}
