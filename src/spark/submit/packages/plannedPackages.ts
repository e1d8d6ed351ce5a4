import { driverUri } from "../code/plannedCode.ts";
import { codeDirectory, type SentFile } from "../code/sentCode.ts";
import { valueOf } from "../conf/conf.ts";
import { driverWrapper } from "../debug/pythonPrograms.ts";
import type { PackageArchive } from "./packageArchive.ts";
import { addProperties, type DriverContext, type DriverSpec } from "../driver/driverSpec.ts";
import { textToBase64, utf8Length } from "../plan/base64.ts";

/** The additional files that a submission with Python packages sends. */
export interface PlannedPackages {
  readonly archive: PackageArchive;
  readonly files: readonly SentFile[];
}

/** Spark unpacks the archive to this folder in the working directory of the driver and of each executor. */
const unpackedFolder = "spark-k8s-packages";
const wrapperName = "python-packages";
const driverPythonKey = "spark.pyspark.driver.python";
const workerPathKey = "spark.executorEnv.PYTHONPATH";

/**
 * Plans the archive and the wrapper that make the packages importable. Undefined if no packages are sent, or if the
 * application is not written in Python.
 */
export function plannedPackages({
  application,
  parts: { packages, debug },
}: DriverContext): PlannedPackages | undefined {
  if (packages === undefined || application.kind !== "python") return undefined;
  const isDebugged = debug?.target === "driver";
  return { archive: packages, files: [archiveFile(packages), wrapperFile(isDebugged)] };
}

/** Adds the packages to the code of a submission. */
export function withPackages(
  context: DriverContext,
  packages: PlannedPackages | undefined,
): DriverContext {
  if (packages === undefined) return context;
  const { sent = { files: [], leftOut: [] }, choice = "automatic" } = context.parts.code ?? {};
  const files = [...sent.files, ...packages.files];
  const code = { sent: { ...sent, files }, choice };
  return { ...context, parts: { ...context.parts, code } };
}

/**
 * Adds the conf entries. On PYTHONPATH, the user's own folders precede the packages. Python cannot import native
 * modules from an archive, so the archive is not an entry of `spark.submit.pyFiles`. The driver's entry point replaces
 * PYTHONPATH, so a wrapper extends it. Call this after `addDebugEntries`, whose wrapper this wrapper starts.
 */
export function addPackageEntries(
  spec: DriverSpec,
  { application }: DriverContext,
  packages: PlannedPackages | undefined,
): DriverSpec {
  if (packages === undefined) return spec;
  const extended = (key: string, value: string, separator: string): Record<string, string> => {
    const given = spec.systemProperties.get(key) ?? valueOf(application.conf, key) ?? "";
    return { [key]: given === "" ? value : `${given}${separator}${value}` };
  };
  return addProperties(spec, {
    ...extended("spark.archives", `${driverUri(packages.archive)}#${unpackedFolder}`, ","),
    ...extended(workerPathKey, `./${unpackedFolder}`, ":"),
    [driverPythonKey]: `${codeDirectory}/${wrapperName}`,
  });
}

// PYSPARK_DRIVER_PYTHON and PYSPARK_PYTHON name the user's own interpreter, because Spark's steps set them before the
// conf names this wrapper. In a debugged run the debugger's wrapper finds that interpreter.
const wrapperText = (isDebugged: boolean): string => `#!/bin/sh
set -eu
folder="$(pwd)/${unpackedFolder}"
export PYTHONPATH="\${PYTHONPATH:+$PYTHONPATH:}$folder"
exec "${isDebugged ? `${codeDirectory}/${driverWrapper}` : "${PYSPARK_DRIVER_PYTHON:-${PYSPARK_PYTHON:-python3}}"}" "$@"
`;

const wrapperFile = (isDebugged: boolean): SentFile => {
  const text = wrapperText(isDebugged);
  return {
    name: wrapperName,
    size: utf8Length(text),
    isExecutable: true,
    role: { kind: "support" },
    content: { kind: "inline", base64: textToBase64(text) },
    members: [],
  };
};

const archiveFile = ({ name, size, content, packages, declaredIn }: PackageArchive): SentFile => ({
  name,
  size,
  isExecutable: false,
  role: { kind: "packages", declaredIn },
  content,
  members: packages.map((one) => ({
    name: `${one.name} ${one.version}`,
    path: declaredIn,
    size: one.size,
    reason: "",
  })),
});
