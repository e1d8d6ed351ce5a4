import type { Patient, Rule, Words } from "./diagnosis.ts";
import { endBeside, shortened, sparkEnd, words, type Ended } from "./rule.ts";

/** Exit codes of Spark's own container, once nothing was done to the pod as a whole. */
export const exitRules: readonly Rule[] = [
  { id: "D97", needs: "the pod", find: exitException },
  {
    id: "D17",
    needs: "the pod",
    find: (patient) => ofCode(patient, "driver", [11], tooManyFailures),
  },
  { id: "D18", needs: "the pod", find: (patient) => ofCode(patient, "driver", [124], timeLimit) },
  { id: "D19", needs: "the pod", find: (patient) => ofCode(patient, "driver", [101], noMainClass) },
  {
    id: "D09",
    needs: "the pod",
    find: (patient) => ofCode(patient, "any", [134, 135, 136, 139], crash),
  },
  { id: "D14", needs: "the pod", find: (patient) => ofCode(patient, "executor", [53], noLocalDir) },
  {
    id: "D15",
    needs: "the pod",
    find: (patient) => ofCode(patient, "executor", [56], noHeartbeat),
  },
  { id: "D16", needs: "the pod", find: cannotRun },
  { id: "D10", needs: "the pod", find: (patient) => ofCode(patient, "any", [143], askedToStop) },
  { id: "D12", needs: "the pod", find: diedAtStart },
  { id: "D101", needs: "the pod", find: (patient) => ofCode(patient, "any", [158], powerSignal) },
  { id: "D102", needs: "the pod", find: (patient) => ofCode(patient, "any", [50, 51], uncaught) },
  { id: "D103", needs: "the pod", find: (patient) => ofCode(patient, "driver", [1], driverError) },
  { id: "D104", needs: "the pod", find: sidecarFailed },
  {
    id: "D105",
    needs: "the pod",
    find: (patient) => ofCode(patient, "executor", [57, 58], gaveUp),
  },
];

function ofCode(
  patient: Patient,
  role: Patient["role"] | "any",
  codes: readonly number[],
  say: (patient: Patient, end: Ended, code: number) => Words,
): Words | undefined {
  const end = sparkEnd(patient);
  if (end?.exitCode === undefined || !codes.includes(end.exitCode)) return undefined;
  return role === "any" || role === patient.role ? say(patient, end, end.exitCode) : undefined;
}

function exitException({ pod, state }: Patient): Words | undefined {
  const exception = pod.driving?.exitException;
  if (exception === undefined || state.kind !== "failed") return undefined;
  const firstLine = exception.split("\n", 1)[0] ?? "";
  return words(
    shortened(firstLine.replace(/^(?:[a-z_$][\w$]*\.)+(?=[A-Z])/, "")),
    "The driver was ended by an exception that its code did not catch.",
    "Read the exception and the driver's log.",
    [],
    exception,
  );
}

const tooManyFailures = (): Words =>
  words(
    "too many executors failed, exit code 11",
    "More executors failed than the application allows, so the driver ended it.",
    "Look at why the executors failed; what is allowed can be raised, or counted over a time.",
    ["spark.executor.maxNumFailures", "spark.executor.failuresValidityInterval"],
  );

const timeLimit = (): Words =>
  words(
    "time limit reached, exit code 124",
    "The driver ran for longer than the application may.",
    "Raise the limit or take it away.",
    ["spark.driver.timeout"],
  );

const noMainClass = (): Words =>
  words(
    "main class not found, exit code 101",
    "The class to start is in none of the jars that the driver has.",
    "Check the class's full name and the path of the jar; a path in the image begins with local://.",
  );

const signals: ReadonlyMap<number, string> = new Map([
  [134, "aborted"],
  [135, "bus error"],
  [136, "arithmetic error"],
  [139, "segmentation fault"],
]);

const crash = (_: Patient, __: Ended, code: number): Words =>
  words(
    `native crash: ${signals.get(code) ?? "signal"}, exit code ${code}`,
    "The process died in native code: a library, the JVM itself, or a file in memory that was cut short.",
    "Look for an hs_err file in the log; check native libraries and JVM options against the image.",
    ["spark.executor.extraJavaOptions"],
  );

const noLocalDir = (): Words =>
  words(
    "local directory not writable, exit code 53",
    "The executor could not make its temporary directory: the volume is full, or not its own to write to.",
    "Give it a volume whose name begins with spark-local-dir-, and a group that may write there (fsGroup in the pod template).",
    ["spark.local.dir", "spark.kubernetes.executor.podTemplateFile"],
  );

const noHeartbeat = (): Words =>
  words(
    "lost the driver, exit code 56",
    "Its heartbeats did not reach the driver, many times in a row: the driver is overloaded or the network is cut.",
    "Look at the driver's memory and load.",
    ["spark.executor.heartbeatInterval", "spark.network.timeout", "spark.driver.memory"],
  );

function cannotRun(patient: Patient): Words | undefined {
  const end = sparkEnd(patient);
  const isStart = end?.reason === "StartError" || end?.reason === "ContainerCannotRun";
  if (!isStart && end?.exitCode !== 126 && end?.exitCode !== 127) return undefined;
  const why =
    end.exitCode === 127
      ? "a program is missing in the image"
      : end.exitCode === 126
        ? "a program in the image may not be executed, or is built for another processor"
        : "the image's program could not be started";
  return words(
    `cannot run: ${why}`,
    `The image cannot run what Spark starts: ${why}.`,
    "Use an image of Spark for this processor, with its entrypoint, Java and tini in place.",
    [`spark.kubernetes.${patient.role}.container.image`],
    end.message,
  );
}

const askedToStop = ({ role }: Patient): Words =>
  words(
    "ended from outside, exit code 143",
    "It was asked to stop from outside: its pod was deleted, drained or evicted.",
    role === "executor"
      ? "Let executors move their blocks away before they leave."
      : "Look at who deleted the pod.",
    role === "executor" ? ["spark.decommission.enabled", "spark.storage.decommission.enabled"] : [],
  );

const atOnceMs = 60_000;

function diedAtStart(patient: Patient): Words | undefined {
  const end = sparkEnd(patient);
  if (end?.exitCode !== 1 || patient.role !== "executor") return undefined;
  const lived = Date.parse(end.finishedAt ?? "") - Date.parse(end.startedAt ?? "");
  if (!(lived < atOnceMs)) {
    return words(
      "ended with an error, exit code 1",
      "The executor ended with an error: most often it lost its driver or could not reach it.",
      "Look at its log and at the driver.",
    );
  }
  return words(
    `ended after ${Math.max(0, Math.round(lived / 1000))} s, exit code 1`,
    "The executor died as soon as it had started: it could not register with its driver, or its Spark is another version than the driver's.",
    "Compare the images of driver and executors; check that executors reach the driver's service on port 7078 (DNS, network policies, a proxy beside Spark).",
    [
      "spark.kubernetes.executor.container.image",
      "spark.kubernetes.allocation.driver.readinessTimeout",
    ],
  );
}

const powerSignal = (): Words =>
  words(
    "killed by a signal to decommission, exit code 158",
    "Somebody sent the signal to decommission to a Spark that does not listen to it.",
    "Switch decommissioning on.",
    ["spark.decommission.enabled"],
  );

const uncaught = ({ role }: Patient, _: Ended, code: number): Words =>
  words(
    `uncaught exception, exit code ${code}`,
    `An exception that nobody caught ended the ${role}.`,
    "Look at its log.",
  );

const driverError = (): Words =>
  words(
    "ended with an error, exit code 1",
    "The application threw an exception, or Spark could not be started with its conf.",
    "The last lines of the driver's log say which.",
  );

const gaveUp = (_: Patient, __: Ended, code: number): Words =>
  code === 57
    ? words(
        "ended by the task reaper, exit code 57",
        "A killed task did not end in time, so its executor was ended with it.",
        "Give killed tasks more time, or make them listen to being interrupted.",
        ["spark.task.reaper.killTimeout"],
      )
    : words(
        "could not register its blocks again, exit code 58",
        "The driver had forgotten this executor's storage and would not take it back.",
        "Look at the driver's load and memory.",
        ["spark.driver.memory"],
      );

function sidecarFailed(patient: Patient): Words | undefined {
  const beside = endBeside(patient);
  if (beside === undefined || patient.state.kind === "succeeded") return undefined;
  const { container, end } = beside;
  return words(
    `container "${container.name}" has failed, exit code ${end.exitCode ?? "unknown"}`,
    `Container "${container.name}", which runs beside Spark, has failed. From Spark 4.0 on that ends an executor.`,
    "Look at the container's log; or let Spark look at its own container only.",
    ["spark.kubernetes.executor.checkAllContainers"],
    end.message,
  );
}
