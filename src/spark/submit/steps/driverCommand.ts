import type { Application } from "../application.ts";
import { addProperties, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings } from "../podSpec.ts";
import { isLocalFile } from "../dependencies.ts";
import { append } from "../json.ts";
import { problems } from "../problems.ts";
import { readEntry, readText } from "../readConf.ts";
import { uploadFile } from "../uploads.ts";

const noResource = "spark-internal";
const propertiesPath = "/opt/spark/conf/spark.properties";

/** What the driver's container runs: arguments for the spark-submit in the image. */
export function driverCommand(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { application } = context;
  const { spec: uploaded, target } = placeResource(spec, context);
  const { proxyUser } = application;
  const container = append(uploaded.container, "args", [
    "driver",
    ...(proxyUser === undefined ? [] : ["--proxy-user", proxyUser]),
    "--properties-file",
    propertiesPath,
    "--class",
    application.mainClass,
    target,
    ...application.arguments,
  ]);
  const withCommand = addProperties(
    { ...uploaded, container },
    { "spark.kubernetes.resource.type": application.kind },
  );
  return application.kind === "python" ? choosePython(withCommand, context) : withCommand;
}

// A jar of this machine travels in spark.jars; a Python file on its own; an R file not at all.
function placeResource(
  spec: DriverSpec,
  context: DriverContext,
): { readonly spec: DriverSpec; readonly target: string } {
  const { kind, resource }: Application = context.application;
  if (resource === undefined) return { spec, target: noResource };
  if (kind === "r" || !isLocalFile(resource.value)) return { spec, target: resource.value };
  return kind === "java"
    ? { spec, target: noResource }
    : uploadFile(spec, context, resource.value, resource.origin);
}

function choosePython(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { PYSPARK_PYTHON: python, PYSPARK_DRIVER_PYTHON: driverPython } =
    context.surroundings.environment;
  const common = readText(context, "spark.pyspark.python");
  const variables = {
    PYSPARK_PYTHON: common ?? python,
    PYSPARK_DRIVER_PYTHON:
      readText(context, "spark.pyspark.driver.python") ?? common ?? driverPython ?? python,
  };
  const env = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const versionKey = "spark.kubernetes.pyspark.pythonVersion";
  const version = context.traits.readsPythonVersion ? readEntry(context, versionKey) : undefined;
  const findings =
    version && version.value !== "3"
      ? [problems.badValue(versionKey, version.value, "3", version.origin)]
      : [];
  return addFindings({ ...spec, container: append(spec.container, "env", env) }, findings);
}
