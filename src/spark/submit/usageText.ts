import { commandOptions, type CommandOption } from "./options.ts";
import { sparkMinors } from "./sparkVersion.ts";
import type { VersionTraits } from "./versionTraits.ts";

/** How a command line is written, for the options that a Spark version knows. */
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
    "A driver is named as namespace:pod-name; an asterisk at the end stands for whatever follows.",
    "Only cluster mode on Kubernetes is sent from here, without a JVM and without Spark on this machine.",
  ];
}

/** What stands behind a command line here. */
export const versionLines = (sparkVersion: string): readonly string[] => [
  `Read and sent as spark-submit of Spark ${sparkVersion} does it.`,
  `Known are the lines ${sparkMinors.join(", ")}. None of them is installed or run here.`,
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
  ["--deploy-mode", { value: "mode", words: 'Where the driver runs; from here "cluster" alone.' }],
  ["--class", { value: "name", words: "Main class of an application for the JVM." }],
  ["--name", { value: "name", words: "The application's name." }],
  ["--jars", { value: "list", words: "Jars for the class paths of driver and executors." }],
  ["--files", { value: "list", words: "Files for the working directories." }],
  ["--archives", { value: "list", words: "Archives to unpack; #folder behind one says where." }],
  ["--py-files", { value: "list", words: "Python files, zips and eggs to import from." }],
  ["--packages", { value: "list", words: "Maven coordinates that the driver resolves." }],
  ["--exclude-packages", { value: "list", words: "What to leave out when they are resolved." }],
  ["--repositories", { value: "list", words: "Further repositories to resolve them from." }],
  ["--conf", { value: "key=value", words: "One setting of Spark." }],
  ["--properties-file", { value: "file", words: "Settings instead of spark-defaults.conf." }],
  ["--extra-properties-file", { value: "file", words: "Settings over those; may be repeated." }],
  ["--load-spark-defaults", { words: "Reads spark-defaults.conf beside a properties file." }],
  ["--driver-memory", { value: "size", words: "Heap of the driver, such as 2g." }],
  ["--driver-cores", { value: "count", words: "Cores of the driver." }],
  ["--driver-java-options", { value: "text", words: "Options for the driver's JVM." }],
  ["--driver-library-path", { value: "path", words: "Where the driver finds native libraries." }],
  ["--driver-class-path", { value: "path", words: "What comes first in its class path." }],
  ["--executor-memory", { value: "size", words: "Heap of each executor." }],
  ["--executor-cores", { value: "count", words: "Cores of each executor." }],
  ["--num-executors", { value: "count", words: "How many executors; the first number of them." }],
  ["--principal", { value: "name", words: "Who signs in to Kerberos." }],
  ["--keytab", { value: "file", words: "The keytab to sign in with." }],
  ["--proxy-user", { value: "name", words: "In whose name the application runs." }],
  ["--kill", { value: "driver", words: "Deletes drivers, after a question." }],
  ["--status", { value: "driver", words: "Tells the state of drivers." }],
  ["--verbose", { words: "Tells first how the line was read; secrets are not shown." }],
  ["--version", { words: "Tells which Spark is followed." }],
  ["--help", { words: "Tells this." }],
]);
