import { verbatim } from "../../../../base/message.ts";
import type { SubmittedApplication } from "../submittedApplication.ts";
import { addProperties, type DriverContext, type DriverSpec } from "../driverSpec.ts";
import { addFindings } from "../podSpec.ts";
import { isLocalFile } from "../../conf/dependencies.ts";
import { append } from "../../../../base/json.ts";
import { problems } from "../../plan/problems.ts";
import { readEntry, readConfText } from "../../conf/readConf.ts";
import { uploadFile } from "../../plan/uploads.ts";

const noResource = "spark-internal";
const propertiesPath = "/opt/spark/conf/spark.properties";

/** Sets the arguments of the driver's container, which runs the image's spark-submit. */
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

// Returns the main resource's argument for spark-submit in the driver. A local jar is already in `spark.jars`; a local
// Python file is uploaded separately; an R file is never uploaded.
function placeResource(
  spec: DriverSpec,
  context: DriverContext,
): { readonly spec: DriverSpec; readonly target: string } {
  const { kind, resource }: SubmittedApplication = context.application;
  if (resource === undefined) return { spec, target: noResource };
  if (kind === "r" || !isLocalFile(resource.value)) return { spec, target: resource.value };
  return kind === "java"
    ? { spec, target: noResource }
    : uploadFile(spec, context, resource.value, resource.origin);
}

function choosePython(spec: DriverSpec, context: DriverContext): DriverSpec {
  const { PYSPARK_PYTHON: python, PYSPARK_DRIVER_PYTHON: driverPython } =
    context.submissionEnvironment.environment;
  const common = readConfText(context, "spark.pyspark.python");
  const variables = {
    PYSPARK_PYTHON: common ?? python,
    PYSPARK_DRIVER_PYTHON:
      readConfText(context, "spark.pyspark.driver.python") ?? common ?? driverPython ?? python,
  };
  const env = Object.entries(variables).flatMap(([name, value]) =>
    value === undefined ? [] : [{ name, value }],
  );
  const versionKey = "spark.kubernetes.pyspark.pythonVersion";
  const version = context.traits.readsPythonVersion ? readEntry(context, versionKey) : undefined;
  const findings =
    version && version.value !== "3"
      ? [problems.badValue(versionKey, version.value, verbatim("3"), version.origin)]
      : [];
  return addFindings({ ...spec, container: append(spec.container, "env", env) }, findings);
}
