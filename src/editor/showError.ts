import { commands as editorCommands, l10n, window } from "vscode";
import { assertNever } from "../base/assertNever.ts";
import type { ClusterError, ConfigurationProblem } from "../engine/clusterError.ts";
import { commands } from "./ids.ts";
import type { Log } from "./log.ts";

/** A failure in three parts: what happened, why, and what to do about it. */
export interface ErrorWords {
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  /** A command that does what the advice says. */
  readonly action?: { readonly title: string; readonly command: string };
}

/** `task`: what was being done, as a sentence's start: "Executor 3 was not killed". */
export async function showClusterError(task: string, error: ClusterError, log: Log): Promise<void> {
  const words = describeClusterError(error);
  log.warn(`${task}: ${error.kind}: ${error.detail}`);
  const buttons = [...(words.action ? [words.action.title] : []), l10n.t("Show Log")];
  const text = [`${task}: ${words.what}.`, words.why, words.advice]
    .filter((part) => part !== "")
    .join(" ");
  const isRefusal = error.kind === "forbidden" || error.kind === "protected";
  const show = isRefusal ? window.showWarningMessage : window.showErrorMessage;
  const chosen = await show(text, ...buttons);
  if (chosen === undefined) return;
  if (chosen === words.action?.title) await editorCommands.executeCommand(words.action.command);
  else log.show();
}

/**
 * One message for a command that went wrong for some of its items. `text`: "3 of 20 executors were not
 * killed". A right that is missing is no fault of anybody's and no red message.
 */
export async function showFailedItems(
  text: string,
  errors: readonly ClusterError[],
  log: Log,
  showReport: () => Promise<void>,
): Promise<void> {
  for (const error of errors) log.warn(`${text}: ${error.kind}: ${error.detail}`);
  // One reason, however many pods it names.
  const reasons = new Map(errors.map(explainClusterError).map((why) => [withoutNames(why), why]));
  const [first = ""] = reasons.values();
  const message =
    reasons.size === 1
      ? `${text}. ${first}`
      : l10n.t("{0}, for {1} reasons. The first: {2}", text, reasons.size, first);
  const report = l10n.t("Show Report");
  const show = errors.every(({ kind }) => kind === "forbidden" || kind === "protected")
    ? window.showWarningMessage
    : window.showErrorMessage;
  if ((await show(message, report)) === report) await showReport();
}

const withoutNames = (words: string): string => words.replaceAll(/"[^"]*"/g, '""');

/** What is wrong with what the user asked for: the first problem at once, all of them in the log. */
export async function showProblems(
  task: string,
  problems: readonly string[],
  log: Log,
): Promise<void> {
  for (const problem of problems) log.warn(`${task}: ${problem}`);
  const [first = ""] = problems;
  const more = problems.length - 1;
  const show = more > 0 ? l10n.t("Show All {0}", problems.length) : l10n.t("Show Log");
  if ((await window.showErrorMessage(`${task}: ${first}`, show)) === show) log.show();
}

/** For a mistake of ours: the stack goes to the log, the user hears where it is. */
export async function showInternalError(error: unknown, log: Log): Promise<void> {
  log.error(error);
  const show = l10n.t("Show Log");
  const chosen = await window.showErrorMessage(
    l10n.t("Internal error in Spark on Kubernetes. The log has the details."),
    show,
  );
  if (chosen === show) log.show();
}

/** All three parts as sentences, for places that are not a message of their own. */
export function explainClusterError(error: ClusterError): string {
  const { what, why, advice } = describeClusterError(error);
  return [sentence(what), why, advice].filter((part) => part !== "").join(" ");
}

export function describeClusterError(error: ClusterError): ErrorWords {
  switch (error.kind) {
    case "unreachable":
      return {
        what: l10n.t("the cluster at {0} did not answer", error.server),
        why: sentence(error.detail),
        advice: error.requestSent
          ? l10n.t(
              "The request may have been carried out: look at the applications before you repeat it.",
            )
          : l10n.t("Check the network or VPN, then reconnect."),
        action: { title: l10n.t("Reconnect"), command: commands.reconnect },
      };
    case "unauthorized":
      return {
        what: l10n.t("the cluster at {0} did not accept the credentials", error.server),
        why: sentence(error.detail),
        advice: l10n.t("Sign in again the way you do for kubectl, then reconnect."),
        action: { title: l10n.t("Reconnect"), command: commands.reconnect },
      };
    case "forbidden":
      return {
        what: l10n.t(
          "you may not {0} {1} in {2}",
          error.verb,
          error.resource,
          place(error.namespace),
        ),
        why: sentence(error.detail),
        advice: l10n.t("Ask for the right, and check with: {0}", canI(error)),
      };
    case "notFound":
      return {
        what: l10n.t('there is no {0} named "{1}"', error.resource, error.name),
        why: sentence(error.detail),
        advice: "",
      };
    case "conflict":
      return {
        what: l10n.t('the {0} "{1}" is in another state than expected', error.resource, error.name),
        why: sentence(error.detail),
        advice: l10n.t(
          "It may have been replaced or have been made by somebody else: look at it, then try again.",
        ),
      };
    case "protected":
      return {
        what: l10n.t('a disruption budget keeps the {0} "{1}"', error.resource, error.name),
        why: sentence(error.detail),
        advice: l10n.t("Try again once the pods that it counts are ready."),
      };
    case "invalid":
      return {
        what: l10n.t("the cluster refused the request"),
        why: sentence(error.detail),
        advice: error.causes
          .map(({ field, message }) => `${field}: ${sentence(message)}`)
          .join(" "),
      };
    case "expired":
      return {
        what: l10n.t("the cluster no longer has the state that was asked for"),
        why: sentence(error.detail),
        advice: l10n.t("Try again."),
      };
    case "throttled":
      return {
        what: l10n.t("the cluster is too busy and asked to wait"),
        why: sentence(error.detail),
        advice: l10n.t("Try again in a moment."),
      };
    case "badResponse":
      return {
        what:
          error.status === undefined
            ? l10n.t("the cluster's answer could not be read")
            : l10n.t("the cluster answered with status {0}", error.status),
        why: sentence(error.detail),
        advice: "",
      };
    case "configuration":
      return {
        what: configurationWords(error.problem),
        why: sentence(error.detail),
        advice: "",
        action: { title: l10n.t("Choose Cluster"), command: commands.chooseCluster },
      };
    default:
      return assertNever(error);
  }
}

function configurationWords(problem: ConfigurationProblem): string {
  switch (problem) {
    case "noKubeconfig":
      return l10n.t("no kubeconfig was found");
    case "invalidKubeconfig":
      return l10n.t("the kubeconfig cannot be read");
    case "noContext":
      return l10n.t("the kubeconfig names no context to use");
    case "unsupported":
      return l10n.t("the kubeconfig asks for something that is not supported");
    case "credentials":
      return l10n.t("no credentials for the cluster could be had");
    default:
      return assertNever(problem);
  }
}

const place = (namespace: string | undefined): string =>
  namespace === undefined ? l10n.t("all namespaces") : l10n.t('namespace "{0}"', namespace);

function canI(error: ClusterError & { kind: "forbidden" }): string {
  const scope = error.namespace === undefined ? "--all-namespaces" : `-n ${error.namespace}`;
  return `kubectl auth can-i ${error.verb} ${error.resource} ${scope}`;
}

// Servers and systems begin small and leave out the full stop; a message for people has both.
function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "";
  const ended = /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
  return ended.charAt(0).toUpperCase() + ended.slice(1);
}
