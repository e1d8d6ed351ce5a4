import { commandOptions, type CommandOption } from "./options.ts";
import { sparkMinors } from "../conf/sparkVersion.ts";
import type { VersionTraits } from "../conf/versionTraits.ts";

/** Returns the usage text with the options of the Spark version. */
export function usageLines(traits: VersionTraits): readonly string[] {
  const options = commandOptions.filter(
    ({ name, isKnownTo }) => meanings.has(name) && (isKnownTo?.(traits) ?? true),
  );
  const heads = options.map(headOf);
  const width = Math.max(...heads.map(({ length }) => length));
  return [
    "spark-submit [options] <jar, .py or .R file> [arguments of the application]",
    "spark-submit --kill <driver> --master <master>",
    "spark-submit --status <driver> --master <master>",
    "",
    ...options.map(({ name }, index) =>
      `  ${(heads[index] ?? "").padEnd(width)}  ${meanings.get(name)?.words ?? ""}`.trimEnd(),
    ),
    "",
    "Select a driver by namespace:pod-name. A trailing asterisk matches any suffix.",
    "Only cluster mode on Kubernetes is supported. Neither a JVM nor Spark needs to be installed.",
  ];
}

/** Returns the output of `--version`. */
export const versionLines = (sparkVersion: string): readonly string[] => [
  `Compatible with spark-submit of Spark ${sparkVersion}.`,
  `Supported versions: ${sparkMinors.join(", ")}. Spark does not need to be installed.`,
];

const headOf = ({ name, alias }: CommandOption): string => {
  const value = meanings.get(name)?.value;
  const names = alias === undefined ? name : `${name}, ${alias}`;
  return value === undefined ? names : `${names} <${value}>`;
};

interface Meaning {
  readonly value?: string;
  readonly words: string;
}

const meanings: ReadonlyMap<CommandOption["name"], Meaning> = new Map<
  CommandOption["name"],
  Meaning
>([
  ["--master", { value: "k8s://https://host:port", words: "The cluster's API server." }],
  [
    "--deploy-mode",
    { value: "mode", words: 'Where the driver runs. Only "cluster" is supported.' },
  ],
  ["--class", { value: "name", words: "Main class of a JVM application." }],
  ["--name", { value: "name", words: "The application's name." }],
  ["--jars", { value: "list", words: "Jars for the class paths of driver and executors." }],
  ["--files", { value: "list", words: "Files for the working directories." }],
  ["--archives", { value: "list", words: "Archives to unpack, optionally with #folder." }],
  ["--py-files", { value: "list", words: "Python files, zips and eggs to import from." }],
  ["--packages", { value: "list", words: "Maven coordinates that the driver resolves." }],
  ["--exclude-packages", { value: "list", words: "Maven coordinates to exclude." }],
  ["--repositories", { value: "list", words: "Additional Maven repositories." }],
  ["--conf", { value: "key=value", words: "One Spark property." }],
  [
    "--properties-file",
    { value: "file", words: "Properties file, used instead of spark-defaults.conf." },
  ],
  [
    "--extra-properties-file",
    { value: "file", words: "Properties file with higher precedence; repeatable." },
  ],
  ["--load-spark-defaults", { words: "Also reads spark-defaults.conf." }],
  ["--driver-memory", { value: "size", words: "Heap of the driver, such as 2g." }],
  ["--driver-cores", { value: "count", words: "Cores of the driver." }],
  ["--driver-java-options", { value: "text", words: "Options for the driver's JVM." }],
  ["--driver-library-path", { value: "path", words: "Library path of the driver." }],
  ["--driver-class-path", { value: "path", words: "Class path entries of the driver." }],
  ["--executor-memory", { value: "size", words: "Heap of each executor." }],
  ["--executor-cores", { value: "count", words: "Cores of each executor." }],
  [
    "--num-executors",
    { value: "count", words: "Number of executors; initial number with dynamic allocation." },
  ],
  ["--principal", { value: "name", words: "Kerberos principal." }],
  ["--keytab", { value: "file", words: "Kerberos keytab." }],
  ["--proxy-user", { value: "name", words: "User to impersonate." }],
  ["--kill", { value: "driver", words: "Deletes drivers after a confirmation." }],
  ["--status", { value: "driver", words: "Prints the state of drivers." }],
  ["--verbose", { words: "Prints the parsed arguments; known secrets are redacted." }],
  ["--version", { words: "Prints the Spark version." }],
  ["--help", { words: "Prints this help." }],
]);
