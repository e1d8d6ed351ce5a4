import type { QuickPickItem } from "vscode";
import { msg } from "../../base/message.ts";
import { fileName } from "../../spark/fileName.ts";
import type { CommandLine } from "../../spark/submit/arguments/commandLine.ts";
import { fillPasted } from "../../spark/submit/pasted/fillPasted.ts";
import type { PastedCommand } from "../../spark/submit/pasted/parsePastedCommand.ts";
import { wholeValues } from "../../spark/submit/pasted/wholeValues.ts";
import { versionOfPasted } from "../../spark/submit/pasted/versionOfPasted.ts";
import { parseSubmission } from "../../spark/submit/plan/parsedSubmission.ts";
import { planSubmission } from "../../spark/submit/plan/prepareSubmission.ts";
import {
  resolveSubmission,
  type ResolvedSubmission,
} from "../../spark/submit/plan/resolveSubmission.ts";
import { newestMinor, sparkMinors } from "../../spark/submit/conf/sparkVersion.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/plan/submissionPlan.ts";
import type { FetchedTexts, SubmissionEnvironment } from "../../spark/submit/conf/environment.ts";
import type { inStatusBar } from "../progress.ts";
import type { Screen } from "../screen.ts";
import { askVariables, isSecretName, type AskWindow } from "./askVariables.ts";
import { fetchTemplates, type PlanPlace } from "./fetchTemplates.ts";
import type { findPastedText } from "./pastedText.ts";
import { submissionEnvironmentOf, type SubmitLine } from "./prepareRun.ts";
import { reviewPasted, type ReviewWindow } from "./reviewPasted.ts";
import { namesLocalFile } from "./submissionAnswers.ts";

export type PastedAction = "run" | "preview" | "check" | "save";

/** A pasted command and the action to take. */
export interface PastedChoice {
  readonly action: PastedAction;
  readonly line: SubmitLine;
  /** The command before variable substitution. */
  readonly command: PastedCommand;
  /** The application's name, or the option such as `--kill`. */
  readonly name: string;
  /** The values of variables whose names look secret. */
  readonly secrets: readonly string[];
}

export interface PastedPlace {
  /** The command. If undefined, `readPasted` searches the selection and the clipboard, or prompts for a command. */
  readonly text: string | undefined;
  readonly submissionEnvironment: SubmissionEnvironment;
  readonly fetchTexts: PlanPlace["fetchTexts"];
  /** Returns the URL of the current context's API server; undefined if there is none. */
  readonly server: () => Promise<string | undefined>;
}

/** The parts of the window that Submit Pasted Command uses. */
export interface PastedWindow extends AskWindow, ReviewWindow {
  readonly screen: AskWindow["screen"] &
    ReviewWindow["screen"] &
    Pick<Screen, "showWarningMessage">;
  readonly findText: typeof findPastedText;
  readonly inStatusBar: typeof inStatusBar;
}

/**
 * Finds a command, and prompts for its variables and the action. Undefined if the user cancels or edits the command.
 */
export async function readPasted(
  place: PastedPlace,
  window: PastedWindow,
): Promise<PastedChoice | undefined> {
  const found = place.text ?? (await window.findText());
  if (found === undefined) return undefined;
  const reviewed = await reviewPasted(found, window);
  if (reviewed === undefined) return undefined;
  const { text, command } = reviewed;
  const { environment: known } = place.submissionEnvironment;
  const values = await askVariables(command.variables, known, window, wholeValues(command));
  if (values === undefined) return undefined;
  const secrets = [...values].flatMap(([variable, value]) =>
    isSecretName(variable) && value !== "" ? [value] : [],
  );
  const { tokens, environment } = fillPasted(command, values);
  const submissionEnvironment = submissionEnvironmentOf(place.submissionEnvironment, environment);
  const { span = { start: 0, end: 0 } } = command;
  const name = /^\S*/.exec(text.slice(span.start, span.end))?.[0] ?? "";
  // Parse as the newest version first: the line may contain the Spark version, which decides which options exist.
  const { commandLine } = parseSubmission({ kind: "tokens", sparkVersion: newestMinor, tokens });
  const action = actionOf(commandLine);
  const told = versionOfPasted(name, commandLine, submissionEnvironment);
  const sparkVersion = told ?? (action === undefined ? await askVersion(window) : newestMinor);
  if (sparkVersion === undefined) return undefined;
  const agreed = await agreedKubeconfig(environment["KUBECONFIG"], window);
  if (agreed === undefined) return undefined;
  const line: SubmitLine = {
    submission: parseSubmission({ kind: "tokens", sparkVersion, tokens }),
    environment,
    ...agreed,
    written: text,
  };
  if (action !== undefined) return { action: "run", line, command, name: action, secrets };
  const checked = await check(line, { ...place, submissionEnvironment }, window);
  if (checked === undefined) return undefined;
  if (checked.plan === undefined) {
    const given = commandLine.options.findLast((option) => option.name === "--name")?.value;
    const saved = given ?? fileName(commandLine.resource?.text ?? name);
    return { action: "save", line: checked.line, command, name: saved, secrets };
  }
  const application = checked.plan.conf.get("spark.app.name")?.value ?? "spark-submit";
  const chosen = await chooseAction(application, checked.plan, window);
  return chosen && { action: chosen, line: checked.line, command, name: application, secrets };
}

/** Asks for consent to use the command's kubeconfig. Undefined if the user cancels. */
async function agreedKubeconfig(
  named: string | undefined,
  { screen }: PastedWindow,
): Promise<Pick<SubmitLine, "kubeconfig"> | undefined> {
  if (named === undefined || named === "") return { kubeconfig: undefined };
  const use = msg("Use This Kubeconfig");
  const own = msg("Use My Kubeconfig");
  const chosen = await screen.showWarningMessage(
    msg("Use the kubeconfig of the command?"),
    {
      modal: true,
      detail: msg`KUBECONFIG=${named}\n\nA kubeconfig decides which server receives credentials and which programs run to sign in.`,
    },
    use,
    own,
  );
  return chosen === undefined ? undefined : { kubeconfig: chosen === use ? named : undefined };
}

/** Returns the option that makes spark-submit submit nothing, such as `--kill`; undefined if there is none. */
function actionOf({ options }: CommandLine): string | undefined {
  const actions: readonly string[] = ["--kill", "--status", "--help", "--version", "--usage-error"];
  return options.find(({ name }) => actions.includes(name))?.name;
}

async function askVersion({
  ask,
  screen: { translated },
}: PastedWindow): Promise<string | undefined> {
  const answer = await ask({
    title: translated(msg("Submit Pasted Command")),
    placeholder: translated(msg("Which Spark version is in this image?")),
    choices: sparkMinors.toReversed().map((label) => ({ label, value: label })),
    validate: undefined,
    step: 1,
    totalSteps: 1,
  });
  return answer?.kind === "answer" ? answer.value : undefined;
}

interface CheckedLine {
  readonly line: SubmitLine;
  /** Undefined if the user saves the line as a run profile, because only a profile can send a local program. */
  readonly plan: SubmissionPlan | undefined;
}

// Shows the errors that spark-submit would report. Undefined if the user cancels or edits the command.
async function check(
  given: SubmitLine,
  { submissionEnvironment, fetchTexts, server }: PastedPlace,
  window: PastedWindow,
): Promise<CheckedLine | undefined> {
  let line = given;
  for (;;) {
    const resolved = resolveSubmission(line.submission, submissionEnvironment);
    const planned = resolved.ok
      ? planSubmission(resolved.value, {
          fetched: await templatesOf(resolved.value, line, fetchTexts, window),
        })
      : resolved;
    if (planned.ok) return { line, plan: planned.value };
    const errors = planned.error.filter(({ severity }) => severity === "error");
    const offers = {
      server: await masterFor(errors, server),
      mayBeSaved: lacksOnlyUpload(errors, line),
    };
    const chosen = await chooseWayOut(errors, offers, window);
    if (chosen === undefined) return undefined;
    if (chosen.way.kind === "save") return { line, plan: undefined };
    if (chosen.way.kind === "edit") {
      await window.openText(line.written, undefined);
      return undefined;
    }
    const { input } = line.submission;
    const tokens = ["--master", `k8s://${chosen.way.server}`, ...input.tokens];
    line = { ...line, submission: parseSubmission({ ...input, tokens }) };
  }
}

const templatesOf = (
  resolved: ResolvedSubmission,
  { written }: SubmitLine,
  fetchTexts: PlanPlace["fetchTexts"],
  window: PastedWindow,
): Thenable<FetchedTexts> =>
  window.inStatusBar(window.screen.translated(msg("Fetching pod templates")), (signal) =>
    fetchTemplates(resolved, { fetchTexts }, written, signal),
  );

// Finding E-16 without an origin means that the line has no master. Offer the current cluster's server.
const masterFor = (
  errors: readonly SubmissionFinding[],
  server: () => Promise<string | undefined>,
): Promise<string | undefined> =>
  errors.some(({ code, origin }) => code === "E-16" && origin === undefined)
    ? server()
    : Promise.resolve(undefined);

/** True if the only error is that the program is a local file. Runs of a profile send their program. */
function lacksOnlyUpload(
  errors: readonly SubmissionFinding[],
  { submission }: SubmitLine,
): boolean {
  const program = submission.commandLine.resource?.text ?? "";
  return namesLocalFile(program) && errors.length === 1 && errors[0]?.code === "E-26";
}

interface WayOut extends QuickPickItem {
  readonly way:
    | { readonly kind: "edit" }
    | { readonly kind: "save" }
    | { readonly kind: "master"; readonly server: string };
}

interface OfferedWays {
  /** The server of the current context, if the line lacks a master; otherwise undefined. */
  readonly server: string | undefined;
  readonly mayBeSaved: boolean;
}

function chooseWayOut(
  errors: readonly SubmissionFinding[],
  { server, mayBeSaved }: OfferedWays,
  { screen }: PastedWindow,
): Thenable<WayOut | undefined> {
  const { translated } = screen;
  const master: readonly WayOut[] =
    server === undefined
      ? []
      : [
          {
            label: translated(msg("Submit to the current cluster")),
            iconPath: screen.icon("server"),
            description: `--master k8s://${server}`,
            way: { kind: "master", server },
          },
        ];
  const save: readonly WayOut[] = mayBeSaved
    ? [
        {
          label: translated(msg("Save as Run Profile…")),
          iconPath: screen.icon("save"),
          detail: translated(msg("Each run of the profile sends the program to the cluster.")),
          way: { kind: "save" },
        },
      ]
    : [];
  const edit: WayOut = {
    label: translated(msg("Edit Command")),
    iconPath: screen.icon("edit"),
    way: { kind: "edit" },
  };
  const reasons = errors.map(({ message, code, key }): WayOut => ({
    label: translated(message),
    iconPath: screen.icon("error"),
    detail: key === undefined ? code : `${key} (${code})`,
    way: { kind: "edit" },
  }));
  return screen.showQuickPick([...master, ...save, edit, ...reasons], {
    title: translated(msg("Submit Pasted Command")),
    placeHolder: translated(msg("The command cannot be submitted")),
    ignoreFocusOut: true,
  });
}

async function chooseAction(
  name: string,
  { access, identity, sparkVersion }: SubmissionPlan,
  { screen }: PastedWindow,
): Promise<PastedAction | undefined> {
  const { translated } = screen;
  const rows: readonly (QuickPickItem & { readonly action: PastedAction })[] = [
    {
      label: translated(msg("Submit")),
      iconPath: screen.icon("play"),
      description: translated(msg`to ${access.server}, namespace "${identity.namespace}"`),
      action: "run",
    },
    { label: translated(msg("Preview")), iconPath: screen.icon("open-preview"), action: "preview" },
    {
      label: translated(msg("Check Before Submitting")),
      iconPath: screen.icon("checklist"),
      action: "check",
    },
    {
      label: translated(msg("Save as Run Profile…")),
      iconPath: screen.icon("save"),
      action: "save",
    },
  ];
  const chosen = await screen.showQuickPick(rows, {
    title: translated(msg`Submit "${name}" as Spark ${sparkVersion}`),
    placeHolder: translated(msg("Select an action")),
    ignoreFocusOut: true,
  });
  return chosen?.action;
}
