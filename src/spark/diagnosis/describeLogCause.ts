import { msg, type Message } from "../../base/message.ts";
import { withoutTrailing } from "../../base/withoutTrailing.ts";
import { defaultSecretRule } from "../redact.ts";
import { redactLine } from "../redactLine.ts";
import type { DiagnosedPod, Words } from "./diagnosis.ts";
import type { LogCause } from "./logCause.ts";
import { shortened, words } from "./rule.ts";

// A row has room for about 60 characters with the words before the name.
const nameLength = 45;

/** `not found: in.csv`: the name at the end of the path, as a row has room for one word. */
function missingFile(error: string): Message {
  const path =
    / '([^']+)'/.exec(error)?.[1] ??
    /does not exist: (\S+)/.exec(error)?.[1] ??
    /File (\S+) does not exist/.exec(error)?.[1] ??
    /Exception: (\/\S+)/.exec(error)?.[1];
  const name = path && withoutPunctuation(path).split("/").at(-1);
  return name === undefined || name === ""
    ? shortened(error)
    : msg`not found: ${shortened(name, nameLength)}`;
}

/** `class not found: Main`, without its package. */
function missingClass(error: string): Message {
  const name = /(?:class|ClassNotFoundException:) ([\w$.]+)/.exec(error)?.[1];
  const simple = name && withoutPunctuation(name).split(".").at(-1);
  return simple === undefined || simple === ""
    ? shortened(error)
    : msg`class not found: ${shortened(simple, nameLength)}`;
}

export function describeCause({ kind, error }: LogCause, role: DiagnosedPod["role"]): Words {
  const told = redactLine(error, defaultSecretRule);
  switch (kind) {
    case "heap":
      return words(
        msg("Java heap exhausted"),
        msg("The Java heap is full. The memory limit of the container was not exceeded."),
        role === "driver"
          ? msg("Raise the driver's memory, or process less data at once.")
          : msg("Raise the executor's memory, or process less data at once."),
        [`spark.${role}.memory`],
        told,
      );
    case "file":
      return words(
        missingFile(told),
        msg("A file or directory does not exist."),
        msg(
          "Check the path. A path in the image begins with local://; other paths must be reachable from the pod.",
        ),
        [],
        told,
      );
    case "mainClass":
      return words(
        missingClass(told),
        msg("A class is missing in the jars of the application."),
        msg("Check the class name, the jars and their Scala and Spark versions."),
        ["spark.jars", "spark.jars.packages"],
        told,
      );
    case "exception":
      return words(
        shortened(error),
        role === "driver"
          ? msg("The driver ended with this exception.")
          : msg("The executor ended with this exception."),
        msg("Fix the cause of the exception; the log has its stack trace."),
        [],
        told,
      );
  }
}

const withoutPunctuation = (text: string): string =>
  [".", ";", ",", "/"].reduce((rest, mark) => withoutTrailing(rest, mark), text);
