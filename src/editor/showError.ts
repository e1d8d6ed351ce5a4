import { commands as editorCommands, l10n } from "vscode";
import { assertNever } from "../base/assertNever.ts";
import type { ClusterError, ConfigurationProblem } from "../engine/clusterError.ts";
import { defaultSecretRule } from "../spark/redact.ts";
import { redactLine } from "../spark/redactLine.ts";
import { errorSentence } from "./errorSentence.ts";
import { commands } from "./ids.ts";
import type { Log } from "./log.ts";
import { window } from "./ui/window.ts";

/** An error in three parts: what failed, why, and what to do. */
interface ErrorWords {
  readonly what: string;
  readonly why: string;
  readonly advice: string;
  /** The command for the advice. */
  readonly action?: { readonly title: string; readonly command: string };
}

/** `task`: the beginning of the message: "Executor 3 was not killed". */
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
 * One message for a command that failed for some items. `text`: "3 of 20 executors were not killed". A warning instead of
 * an error if only permissions are missing.
 */
export async function showFailedItems(
  text: string,
  errors: readonly ClusterError[],
  log: Log,
  showReport: () => Promise<void>,
): Promise<void> {
  for (const error of errors) log.warn(`${text}: ${error.kind}: ${error.detail}`);
  // Reasons that differ only in names count once.
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

/** Shows the first problem of a request and logs all of them. */
export async function showProblems(
  task: string,
  problems: readonly string[],
  log: Log,
): Promise<void> {
  for (const problem of problems) log.warn(`${task}: ${problem}`);
  const first = redactLine(problems[0] ?? "", defaultSecretRule);
  const more = problems.length - 1;
  const show = more > 0 ? l10n.t("Show All {0}", problems.length) : l10n.t("Show Log");
  if ((await window.showErrorMessage(`${task}: ${first}`, show)) === show) log.show();
}

/** Logs the stack of an internal error and shows a message. */
export async function showInternalError(error: unknown, log: Log): Promise<void> {
  log.error(error);
  const show = l10n.t("Show Log");
  const chosen = await window.showErrorMessage(
    l10n.t("Internal error in Spark on Kubernetes. The log has the details."),
    show,
  );
  if (chosen === show) log.show();
}

/** All three parts as sentences, for use inside other texts. */
export function explainClusterError(error: ClusterError): string {
  const { what, why, advice } = describeClusterError(error);
  return [errorSentence(what), why, advice].filter((part) => part !== "").join(" ");
}

export function describeClusterError(error: ClusterError): ErrorWords {
  switch (error.kind) {
    case "unreachable":
      return {
        what: l10n.t("the cluster at {0} did not answer", error.server),
        why: errorSentence(error.detail),
        advice: error.requestSent
          ? l10n.t("The request may have been processed. Check the applications before you retry.")
          : l10n.t("Check the network or VPN, then reconnect."),
        action: { title: l10n.t("Reconnect"), command: commands.reconnect },
      };
    case "unauthorized":
      return {
        what: l10n.t("the cluster at {0} did not accept the credentials", error.server),
        why: errorSentence(error.detail),
        advice: l10n.t("Sign in again the way you do for kubectl, then reconnect."),
        action: { title: l10n.t("Reconnect"), command: commands.reconnect },
      };
    case "forbidden":
      return {
        what: l10n.t(
          "you cannot {0} {1} in {2}",
          error.verb,
          error.resource,
          place(error.namespace),
        ),
        why: errorSentence(error.detail),
        advice: l10n.t("Ask for the permission, and check it with: {0}", canI(error)),
      };
    case "notFound":
      return {
        what: l10n.t('there is no {0} named "{1}"', error.resource, error.name),
        why: errorSentence(error.detail),
        advice: "",
      };
    case "conflict":
      return {
        what: l10n.t('the {0} "{1}" is in another state than expected', error.resource, error.name),
        why: errorSentence(error.detail),
        advice: l10n.t(
          "It may have been replaced or created by another user. Check it, then try again.",
        ),
      };
    case "protected":
      return {
        what: l10n.t('a disruption budget protects the {0} "{1}"', error.resource, error.name),
        why: errorSentence(error.detail),
        advice: l10n.t("Try again when the pods of the budget are ready."),
      };
    case "invalid":
      return {
        what: l10n.t("the cluster refused the request"),
        why: errorSentence(error.detail),
        advice: error.causes
          .map(({ field, message }) => `${field}: ${errorSentence(message)}`)
          .join(" "),
      };
    case "expired":
      return {
        what: l10n.t("the requested resource version has expired"),
        why: errorSentence(error.detail),
        advice: l10n.t("Try again."),
      };
    case "throttled":
      return {
        what: l10n.t("the cluster is too busy"),
        why: errorSentence(error.detail),
        advice: l10n.t("Try again in a moment."),
      };
    case "badResponse":
      return {
        what:
          error.status === undefined
            ? l10n.t("the cluster's response is invalid")
            : l10n.t("the cluster answered with status {0}", error.status),
        why: errorSentence(error.detail),
        advice: "",
      };
    case "configuration":
      return {
        what: configurationWords(error.problem),
        why: errorSentence(error.detail),
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
      return l10n.t("the kubeconfig has no such context");
    case "unsupported":
      return l10n.t("the kubeconfig uses an unsupported feature");
    case "credentials":
      return l10n.t("the credentials for the cluster cannot be obtained");
    case "declined":
      return l10n.t("nothing was sent");
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
