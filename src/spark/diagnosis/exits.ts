import { msg, type Message } from "../../base/message.ts";
import type { SparkPod } from "../pods/application.ts";
import { sparkContainerOf } from "../pods/sparkContainer.ts";
import {
  logCauseRule,
  type DiagnosedPod,
  type DiagnosisRule,
  type DiagnosisText,
} from "./diagnosis.ts";
import { describeCause, missingClassNamed } from "./describeLogCause.ts";
import { shortImage } from "./images.ts";
import type { LogCauseKind } from "./logCauseKinds.ts";
import {
  sidecarFailure,
  probeCodes,
  probeEvent,
  includesAny,
  shortened,
  sparkEnd,
  words,
  type TerminatedContainer,
} from "./rule.ts";

/** Rules for the exit code of Spark's container, if no event affected the whole pod. */
export const exitRules: readonly DiagnosisRule[] = [
  { id: "D97", needs: "the pod", find: exitException },
  {
    id: "D17",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "driver", [executorFailuresCode], tooManyFailures),
  },
  {
    id: "D18",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "driver", [124], timeLimit),
  },
  {
    id: "D19",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "driver", [101], noMainClass),
  },
  {
    id: "D09",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "any", [134, 135, 136, 139], crash),
  },
  {
    id: "D14",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "executor", [53], noLocalDir),
  },
  {
    id: "D15",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "executor", [56], noHeartbeat),
  },
  { id: "D16", needs: "the pod", find: cannotRun },
  {
    id: "D116",
    needs: "its events",
    find: (diagnosed) => ofCode(diagnosed, "any", probeCodes, probeKilled),
  },
  {
    id: "D10",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "any", [sigterm], askedToStop),
  },
  { id: logCauseRule, needs: "its log", find: explainedByLog },
  { id: "D12", needs: "the pod", find: diedAtStart },
  {
    id: "D101",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "any", [158], powerSignal),
  },
  {
    id: "D102",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "any", [50, 51], uncaught),
  },
  { id: "D103", needs: "the pod", find: driverError },
  { id: "D104", needs: "the pod", find: sidecarFailed },
  {
    id: "D105",
    needs: "the pod",
    find: (diagnosed) => ofCode(diagnosed, "executor", [57, 58], gaveUp),
  },
];

/**
 * True if a signal ended the container, but not because of its memory limit. An event may then name a failed probe as
 * the reason.
 */
export function mayBeKilledByProbe({ state }: SparkPod): boolean {
  const exit = state.kind === "failed" ? state.exit : undefined;
  return exit?.reason !== "OOMKilled" && probeCodes.includes(exit?.exitCode ?? 0);
}

const sigterm = 143;

function ofCode(
  diagnosed: DiagnosedPod,
  role: DiagnosedPod["role"] | "any",
  codes: readonly number[],
  say: (
    diagnosed: DiagnosedPod,
    end: TerminatedContainer,
    code: number,
  ) => DiagnosisText | undefined,
): DiagnosisText | undefined {
  const end = sparkEnd(diagnosed);
  if (end?.exitCode === undefined || !codes.includes(end.exitCode)) return undefined;
  return role === "any" || role === diagnosed.role ? say(diagnosed, end, end.exitCode) : undefined;
}

function exitException({ pod, state }: DiagnosedPod): DiagnosisText | undefined {
  const exception = pod.driving?.exitException;
  if (exception === undefined || state.kind !== "failed") return undefined;
  const firstLine = exception.split("\n", 1)[0] ?? "";
  return words(
    shortened(firstLine.replace(/^(?:[a-z_$][\w$]*\.)+(?=[A-Z])/, "")),
    msg("An uncaught exception ended the driver."),
    msg("Fix the cause of the exception. The driver's log contains its stack trace."),
    [],
    exception,
  );
}

/** The exit code of a driver that gave up because its executors failed too often. */
export const executorFailuresCode = 11;

// Kinds of rejections by the API server. Only the driver's log names the cause, because rejected pods never exist.
const rejections: readonly LogCauseKind[] = ["quota", "limitRange", "forbidden", "admission"];

const tooManyFailures = ({ logCause, role }: DiagnosedPod): DiagnosisText => {
  if (logCause !== undefined && rejections.includes(logCause.kind)) {
    return { ...describeCause(logCause, role), logKind: logCause.kind };
  }
  return words(
    msg("too many executors failed, exit code 11"),
    msg("More executors failed than the conf allows, so the driver ended the application."),
    msg(
      "Check why the executors failed. You can raise the limit, or set an interval after which failures no longer count.",
    ),
    ["spark.executor.maxNumFailures", "spark.executor.failuresValidityInterval"],
  );
};

const timeLimit = (): DiagnosisText =>
  words(
    msg("time limit reached, exit code 124"),
    msg("The driver ran longer than its timeout."),
    msg("Raise or remove the timeout."),
    ["spark.driver.timeout"],
  );

const noMainClass = ({ pod, logCause }: DiagnosedPod): DiagnosisText =>
  words(
    pod.driving?.mainClass === undefined
      ? msg("main class not found, exit code 101")
      : missingClassNamed(pod.driving.mainClass),
    msg("None of the driver's jars contains the main class."),
    msg(
      "Check the full class name and the path of the jar. A path in the image begins with local://.",
    ),
    [],
    logCause?.kind === "mainClass" ? logCause.error : undefined,
  );

function describeCrash(code: number): Message {
  switch (code) {
    case 134:
      return msg("aborted");
    case 135:
      return msg("bus error");
    case 136:
      return msg("arithmetic error");
    default:
      return msg("segmentation fault");
  }
}

const crash = (_: DiagnosedPod, __: TerminatedContainer, code: number): DiagnosisText =>
  words(
    msg`native crash: ${describeCrash(code)}, exit code ${code}`,
    msg(
      "The process crashed in native code: a library, the JVM, or a memory-mapped file that was truncated.",
    ),
    msg(
      "Look for an hs_err report in the log, and check that native libraries and JVM options match the image.",
    ),
    ["spark.executor.extraJavaOptions"],
  );

const noLocalDir = (): DiagnosisText =>
  words(
    msg("local directory not writable, exit code 53"),
    msg("The executor could not create its local directory: the volume is full or not writable."),
    msg(
      "Mount a volume whose name begins with spark-local-dir-, and set fsGroup in the pod template so that Spark can write there.",
    ),
    ["spark.local.dir", "spark.kubernetes.executor.podTemplateFile"],
  );

const noHeartbeat = (): DiagnosisText =>
  words(
    msg("lost the driver, exit code 56"),
    msg(
      "Many consecutive heartbeats did not reach the driver. It is overloaded, or the network is interrupted.",
    ),
    msg("Check the memory and the load of the driver."),
    ["spark.executor.heartbeatInterval", "spark.network.timeout", "spark.driver.memory"],
  );

function cannotRun(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const end = sparkEnd(diagnosed);
  const isStart = end?.reason === "StartError" || end?.reason === "ContainerCannotRun";
  if (!isStart && end?.exitCode !== 126 && end?.exitCode !== 127) return undefined;
  const why =
    end.exitCode === 127 ||
    includesAny(end.message, "no such file or directory", "file not found in $path")
      ? msg("a program is missing from the image")
      : end.exitCode === 126
        ? msg("a program in the image is not executable or built for another CPU architecture")
        : msg("the image's program could not start");
  return words(
    msg`cannot run: ${why}`,
    msg`The container's command failed: ${why}.`,
    msg("Use a Spark image for the node's architecture with its entrypoint, Java and tini."),
    [`spark.kubernetes.${diagnosed.role}.container.image`],
    end.message,
  );
}

function explainedByLog(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const { logCause, role } = diagnosed;
  if (logCause === undefined || sparkEnd(diagnosed) === undefined) return undefined;
  return { ...describeCause(logCause, role), logKind: logCause.kind };
}

function probeKilled(
  diagnosed: DiagnosedPod,
  _: TerminatedContainer,
  code: number,
): DiagnosisText | undefined {
  const told = probeEvent(diagnosed);
  return (
    told &&
    words(
      msg`killed by its liveness probe, exit code ${code}`,
      msg(
        "The liveness probe of the pod template failed, so the kubelet terminated the container.",
      ),
      msg("Remove the probe from the pod template, or give it more time."),
      [`spark.kubernetes.${diagnosed.role}.podTemplateFile`],
      told.message.trimEnd(),
    )
  );
}

const askedToStop = ({ role }: DiagnosedPod): DiagnosisText =>
  words(
    msg("terminated by SIGTERM, exit code 143"),
    msg("The container received SIGTERM: its pod was deleted or evicted, or its node shut down."),
    role === "executor"
      ? msg("Enable decommissioning, so that executors migrate their data first.")
      : msg("Check the audit log for the user or controller that deleted the pod."),
    role === "executor" ? ["spark.decommission.enabled", "spark.storage.decommission.enabled"] : [],
  );

const atOnceMs = 60_000;

function diedAtStart(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const end = sparkEnd(diagnosed);
  if (end?.exitCode !== 1 || diagnosed.role !== "executor") return undefined;
  const lived = Date.parse(end.finishedAt ?? "") - Date.parse(end.startedAt ?? "");
  const seconds = Math.max(0, Math.round(lived / 1000));
  const driver = diagnosed.application.driver;
  const [image, driverImage] = [diagnosed.pod, driver?.pod].map(
    (pod) => pod && sparkContainerOf(pod)?.image,
  );
  if (
    lived < atOnceMs &&
    image !== undefined &&
    driverImage !== undefined &&
    image !== driverImage
  ) {
    return words(
      msg`failed after ${seconds} s with a different image than the driver: ${shortImage(image)}`,
      msg`The executor ended right after its start. Its image is "${image}", but the driver's image is "${driverImage}".`,
      msg("Use one image for the driver and the executors."),
      ["spark.kubernetes.executor.container.image"],
    );
  }
  // The log names the cause, so the guesses below are unnecessary.
  if (diagnosed.logCause !== undefined) return undefined;
  if (!(lived < atOnceMs)) {
    return words(
      msg("failed, exit code 1"),
      msg("The executor ended with an error, most often because it lost its driver."),
      msg("Check its log and the state of the driver."),
    );
  }
  return words(
    msg`failed after ${seconds} s, exit code 1`,
    msg(
      "The executor ended right after its start. It could not register with its driver, or its Spark version differs from the driver's.",
    ),
    msg(
      "Compare the images of driver and executors. Check that executors can reach the driver's Service on port 7078 (DNS, network policies, sidecar proxies).",
    ),
    [
      "spark.kubernetes.executor.container.image",
      "spark.kubernetes.allocation.driver.readinessTimeout",
    ],
  );
}

const powerSignal = (): DiagnosisText =>
  words(
    msg("killed by SIGPWR, exit code 158"),
    msg("The process received the decommissioning signal, but decommissioning is disabled."),
    msg("Enable decommissioning."),
    ["spark.decommission.enabled"],
  );

const uncaught = ({ role }: DiagnosedPod, _: TerminatedContainer, code: number): DiagnosisText =>
  words(
    msg`uncaught exception, exit code ${code}`,
    role === "driver"
      ? msg("An uncaught exception ended the driver.")
      : msg("An uncaught exception ended the executor."),
    msg("Check the end of its log."),
  );

// Exit codes of 126 and above come from the shell or from signals.
const maxOwnCode = 125;

function driverError(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const code = sparkEnd(diagnosed)?.exitCode;
  if (diagnosed.role !== "driver" || code === undefined || code < 1 || code > maxOwnCode) {
    return undefined;
  }
  return words(
    msg`failed, exit code ${code}`,
    code === 1
      ? msg("The application threw an exception, or Spark could not start with its conf.")
      : msg("The program exited with this code. No exception is known."),
    msg("Check the last lines of the driver's log."),
  );
}

const gaveUp = (_: DiagnosedPod, __: TerminatedContainer, code: number): DiagnosisText =>
  code === 57
    ? words(
        msg("ended by the task reaper, exit code 57"),
        msg("A killed task did not end in time, so the task reaper ended its executor."),
        msg("Raise the timeout for killed tasks, or make the tasks interruptible."),
        ["spark.task.reaper.killTimeout"],
      )
    : words(
        msg("could not re-register its blocks, exit code 58"),
        msg(
          "The driver had removed this executor's block manager and rejected its re-registration.",
        ),
        msg("Check the load and the memory of the driver."),
        ["spark.driver.memory"],
      );

function sidecarFailed(diagnosed: DiagnosedPod): DiagnosisText | undefined {
  const beside = sidecarFailure(diagnosed);
  if (beside === undefined || diagnosed.state.kind === "succeeded") return undefined;
  const { container, end } = beside;
  const fact =
    end.exitCode === undefined
      ? msg`container "${container.name}" failed, exit code unknown`
      : msg`container "${container.name}" failed, exit code ${end.exitCode}`;
  if (diagnosed.state.kind !== "failed") {
    return words(
      fact,
      msg`The sidecar container "${container.name}" failed. Spark's own container keeps running.`,
      msg("Check the log of the container."),
      [],
      end.message,
    );
  }
  return words(
    fact,
    msg`The sidecar container "${container.name}" failed. Spark checks all containers, so it removed the executor.`,
    msg("Check the log of the container, or let Spark check its own container only."),
    ["spark.kubernetes.executor.checkAllContainers"],
    end.message,
  );
}
