import { assertNever } from "../../../base/assertNever.ts";
import { valueOf } from "../conf/conf.ts";
import { driverUri } from "../code/plannedCode.ts";
import { codeDirectory, type SentCode, type SentFile } from "../code/sentCode.ts";
import { addProperties, type DriverContext, type DriverSpec } from "../driver/driverSpec.ts";
import { addFindings } from "../driver/podSpec.ts";
import { textToBase64, utf8Length } from "../plan/base64.ts";
import { problems } from "../plan/problems.ts";
import type { SubmissionFinding } from "../plan/submissionFinding.ts";
import type { DebugTarget, PythonDebugger } from "./debugRequest.ts";
import {
  debuggerArchiveName,
  driverPort,
  driverWrapper,
  driverWrapperText,
  executorModule,
  waitVariable,
  workerPorts,
} from "./pythonPrograms.ts";
import { jvmWatchdogText } from "./jvmWatchdog.ts";

/** The conf entries, files and ports that debugging adds to a submission. */
export interface PlannedDebug {
  readonly target: DebugTarget;
  readonly language: "python" | "java";
  /** Ports on 127.0.0.1 of the debugged pod, in the order in which they are used. */
  readonly ports: readonly number[];
  readonly entries: readonly DebugEntry[];
  readonly files: readonly SentFile[];
  /** Shell text for `spark-env.sh` of the driver. */
  readonly script: string | undefined;
  readonly findings: readonly SubmissionFinding[];
}

/** A conf entry of a debugged run. */
export interface DebugEntry {
  readonly key: string;
  readonly value: string;
  /**
   * How the entry combines with the user's own value. `kept`: the user's value wins, with a warning. `extended`: both
   * are joined with the separator; `first` puts the entry first. `required`: another value makes debugging impossible.
   * `wrapped`: the entry wins, and the wrapper starts the user's value.
   */
  readonly own:
    "kept" | "required" | "wrapped" | { readonly extended: string; readonly first?: true };
}

/** The JDWP port. Every pod has its own network namespace, so all pods can use the same port. */
const jvmPort = 5005;

/** Returns the additions for a debugged run. Undefined if the run is not debugged. */
export function plannedDebug(context: DriverContext): PlannedDebug | undefined {
  const { application, parts } = context;
  const { debug } = parts;
  if (debug === undefined) return undefined;
  const { target } = debug;
  switch (application.kind) {
    case "python": {
      const { python } = debug;
      if (python === undefined) {
        return nothing(target, "python", [problems.noDebugger()]);
      }
      const files = [
        debuggerFile(python),
        ...(target === "driver" ? [scriptFile(driverWrapper, driverWrapperText(debug))] : []),
      ];
      const ports = target === "driver" ? [driverPort] : workerPorts;
      const entries = target === "driver" ? pythonDriver : pythonExecutor(debug.waitSeconds);
      return { ...nothing(target, "python", []), ports, entries, files };
    }
    case "java":
      return {
        ...nothing(target, "java", []),
        ports: [jvmPort],
        entries: target === "driver" ? jvmDriver : jvmExecutor,
        script: target === "driver" ? jvmWatchdogText(jvmPort, debug.waitSeconds) : undefined,
      };
    case "r":
      return nothing(target, "java", [problems.cannotDebugR()]);
    default:
      return assertNever(application.kind);
  }
}

const nothing = (
  target: DebugTarget,
  language: PlannedDebug["language"],
  findings: readonly SubmissionFinding[],
): PlannedDebug => ({
  target,
  language,
  ports: [],
  entries: [],
  files: [],
  script: undefined,
  findings,
});

/**
 * Adds the debugger's files to the sent files of a debugged run. They are the only sent files if the application is in
 * the image.
 */
export function withDebugger(
  context: DriverContext,
  debug: PlannedDebug | undefined,
): DriverContext {
  if (debug === undefined || debug.files.length === 0) return context;
  const { code } = context.parts;
  const { sent = noCode, choice = "automatic" } = code ?? {};
  const files = [...sent.files, ...debug.files];
  return { ...context, parts: { ...context.parts, code: { sent: { ...sent, files }, choice } } };
}

const noCode: SentCode = { files: [], leftOut: [] };

/**
 * Adds the conf entries of a debugged run. Call this after Spark's feature steps, which must read the user's own conf.
 */
export function addDebugEntries(
  spec: DriverSpec,
  { application }: DriverContext,
  debug: PlannedDebug | undefined,
): DriverSpec {
  if (debug === undefined) return spec;
  return debug.entries.reduce(
    (before, { key, value, own }) => {
      const origin = application.conf.get(key)?.origin;
      const given = before.systemProperties.get(key) ?? valueOf(application.conf, key);
      if (given === undefined || given === "" || given === value || own === "wrapped") {
        return addProperties(before, { [key]: value });
      }
      if (own === "kept") {
        return addFindings(before, [problems.keptWhileDebugging(key, given, value, origin)]);
      }
      if (own === "required" || (jdwp.test(value) && jdwp.test(given))) {
        return addFindings(before, [problems.clashesWithDebugging(key, given, origin)]);
      }
      const parts = own.first === true ? [value, given] : [given, value];
      return addProperties(before, { [key]: parts.join(own.extended) });
    },
    addFindings(spec, debug.findings),
  );
}

const jdwp = /-(?:agentlib:|Xrun)jdwp\b/;

// ---- Entries -----------------------------------------------------------------------------------

const pythonDriver: readonly DebugEntry[] = [
  {
    key: "spark.pyspark.driver.python",
    value: `${codeDirectory}/${driverWrapper}`,
    own: "wrapped",
  },
];

// With one executor and one core, Spark runs one task at a time. The other entries keep Spark from removing the
// executor, starting a second attempt of the task, or failing with a timeout while the task waits at a breakpoint.
const oneExecutor: readonly DebugEntry[] = [
  { key: "spark.executor.instances", value: "1", own: "kept" },
  { key: "spark.executor.cores", value: "1", own: "kept" },
  { key: "spark.dynamicAllocation.enabled", value: "false", own: "kept" },
  { key: "spark.speculation", value: "false", own: "kept" },
  { key: "spark.sql.broadcastTimeout", value: "24h", own: "kept" },
];

const unpackedFolder = "spark-k8s-debugger";

const pythonExecutor = (waitSeconds: number): readonly DebugEntry[] => [
  {
    key: "spark.archives",
    value: `${driverUri({ name: debuggerArchiveName })}#${unpackedFolder}`,
    own: { extended: "," },
  },
  // Executors unpack archives in their working directory.
  {
    key: "spark.executorEnv.PYTHONPATH",
    value: `./${unpackedFolder}`,
    own: { extended: ":", first: true },
  },
  { key: "spark.python.daemon.module", value: executorModule, own: "required" },
  { key: "spark.python.use.daemon", value: "true", own: "required" },
  { key: `spark.executorEnv.${waitVariable}`, value: `${waitSeconds}`, own: "kept" },
  { key: "spark.python.worker.idleTimeoutSeconds", value: "0", own: "kept" },
  { key: "spark.python.worker.killOnIdleTimeout", value: "false", own: "kept" },
  ...oneExecutor,
];

const jvmOptions = (suspend: "y" | "n"): string =>
  `-agentlib:jdwp=transport=dt_socket,server=y,suspend=${suspend},${suspend === "n" ? "quiet=y," : ""}` +
  `address=127.0.0.1:${jvmPort}`;

// A JVM that stops at a breakpoint neither sends heartbeats nor responds to them. By default Spark declares the
// executor lost after 120 s.
const jvmTimeout: DebugEntry = { key: "spark.network.timeout", value: "24h", own: "kept" };

const jvmDriver: readonly DebugEntry[] = [
  { key: "spark.driver.extraJavaOptions", value: jvmOptions("y"), own: { extended: " " } },
  jvmTimeout,
  // A stopped driver does not respond to heartbeats. An executor exits after the default of 60 failures, in 10 minutes;
  // 8,640 failures take a day.
  { key: "spark.executor.heartbeat.maxFailures", value: "8640", own: "kept" },
];

// Executors start without waiting: with suspend=y, each of them would wait for its own client.
const jvmExecutor: readonly DebugEntry[] = [
  { key: "spark.executor.extraJavaOptions", value: jvmOptions("n"), own: { extended: " " } },
  jvmTimeout,
  ...oneExecutor,
];

// ---- Files -------------------------------------------------------------------------------------

const debuggerFile = ({ size, base64 }: PythonDebugger): SentFile => ({
  ...support,
  name: debuggerArchiveName,
  size,
  isExecutable: false,
  content: { kind: "inline", base64 },
});

const scriptFile = (name: string, text: string): SentFile => ({
  ...support,
  name,
  size: utf8Length(text),
  isExecutable: true,
  content: { kind: "inline", base64: textToBase64(text) },
});

const support = { role: { kind: "support" }, members: [] } as const;
