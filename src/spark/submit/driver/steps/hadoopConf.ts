import { addProperties, addResource, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings, addVariable, mountVolume, type PodSpec } from "../podSpec.ts";
import type { JsonObject } from "../../../../base/json.ts";
import { absolutePath } from "../../arguments/localPath.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry } from "../../conf/readConf.ts";
import type { SubmissionFinding } from "../../plan/submissionFinding.ts";

const mapKey = "spark.kubernetes.hadoop.configMapName";
const mountPath = "/opt/hadoop/conf";

/** Mounts the Hadoop configuration: the submitter's directory, or an existing ConfigMap. */
export function hadoopConf(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { HADOOP_CONF_DIR: directory } = context.submissionEnvironment.environment;
  const named = readEntry(context, mapKey);
  if (directory !== undefined && named) {
    return addFindings(spec, [problems.twoHadoopConfs(named.origin)]);
  }
  if (named) return mount(spec, context, named.value, { name: named.value });
  if (directory === undefined) return spec;

  const files = filesOf(directory, context);
  const mapName = `${context.identity.prefix}-hadoop-config`;
  const names = Object.keys(files.texts);
  const withMap = addResource(addFindings(spec, files.findings), {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: mapName },
    immutable: true,
    ...(names.length === 0 && !context.traits.writesEmptyMaps ? {} : { data: files.texts }),
  });
  const items = names.map((name) => ({ key: name, path: name }));
  return mount(withMap, context, mapName, {
    name: mapName,
    ...(items.length === 0 ? {} : { items }),
  });
}

/** Mounts a ConfigMap at Spark's directory for the Hadoop configuration. */
export const mountHadoopConf = <Spec extends PodSpec>(spec: Spec, configMap: JsonObject): Spec =>
  addVariable(
    mountVolume(spec, { name: "hadoop-properties", configMap }, { mountPath }),
    "HADOOP_CONF_DIR",
    mountPath,
  );

function mount(
  spec: DriverSpec,
  { traits }: DriverContext,
  mapName: string,
  source: JsonObject,
): DriverSpec {
  const mounted = mountHadoopConf(spec, source);
  return traits.tellsExecutorsOfHadoopConf
    ? addProperties(mounted, { "spark.kubernetes.executor.hadoopConfigMapName": mapName })
    : mounted;
}

function filesOf(
  directory: string,
  { submissionEnvironment, traits }: DriverContext,
): { readonly texts: Record<string, string>; readonly findings: readonly SubmissionFinding[] } {
  const { files, workingDirectory } = submissionEnvironment;
  const root = absolutePath(directory, workingDirectory);
  const texts: Record<string, string> = {};
  const findings: SubmissionFinding[] = [problems.inheritedDirectory("HADOOP_CONF_DIR", root)];
  for (const name of files.names(root)) {
    const path = `${root}/${name}`;
    const file = files.text(path);
    if (file === undefined) continue;
    if (!file.isUtf8 && traits.refusesBinaryText) findings.push(problems.binaryHadoopConf(path));
    texts[name] = file.text;
  }
  return { texts, findings };
}
