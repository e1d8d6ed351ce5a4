import { l10n, window, type QuickPickItem } from "vscode";
import { parseCommandLine } from "../../spark/submit/commandLine.ts";
import { fillPasted } from "../../spark/submit/pasted/fillPasted.ts";
import type { PastedCommand } from "../../spark/submit/pasted/parsePastedCommand.ts";
import { versionOfPasted } from "../../spark/submit/pasted/versionOfPasted.ts";
import { prepareCommand } from "../../spark/submit/prepareSubmission.ts";
import { sparkMinors } from "../../spark/submit/sparkVersion.ts";
import type { SubmissionFinding } from "../../spark/submit/submissionFinding.ts";
import type { SubmissionPlan } from "../../spark/submit/submissionPlan.ts";
import type { Surroundings } from "../../spark/submit/surroundings.ts";
import { versionTraits } from "../../spark/submit/versionTraits.ts";
import { askVariables } from "./askVariables.ts";
import { ask } from "./multiStep.ts";
import { findPastedText, openPastedText } from "./pastedText.ts";
import { surroundingsOf, type SubmitLine } from "./prepareRun.ts";
import { reviewPasted } from "./reviewPasted.ts";

export type PastedAction = "run" | "preview" | "check" | "save";

/** What is to be done with a command that was pasted. */
export interface PastedChoice {
  readonly action: PastedAction;
  readonly line: SubmitLine;
  /** The command before its variables got their values. */
  readonly command: PastedCommand;
  /** What it submits, or the option that it is about. */
  readonly name: string;
}

export interface PastedPlace {
  /** The command, where it is known already. */
  readonly text: string | undefined;
  readonly surroundings: Surroundings;
  /** The API server of the context in use; undefined: there is none. */
  readonly server: () => Promise<string | undefined>;
}

/** Finds a command, asks for what it leaves open, and for what to do with it. Undefined: it was left. */
export async function readPasted(place: PastedPlace): Promise<PastedChoice | undefined> {
  const given = place.text ?? (await findPastedText());
  if (given === undefined) return undefined;
  const reviewed = await reviewPasted(given);
  if (reviewed === undefined) return undefined;
  const { text, command } = reviewed;
  const values = await askVariables(command.variables, place.surroundings.environment);
  if (values === undefined) return undefined;
  const { tokens, environment } = fillPasted(command, values);
  const surroundings = surroundingsOf(place.surroundings, environment);
  const { span = { start: 0, end: 0 } } = command;
  const name = /^\S*/.exec(text.slice(span.start, span.end))?.[0] ?? "";
  const action = actionOf(tokens);
  const known = versionOfPasted(name, tokens, surroundings);
  const sparkVersion = known ?? (action === undefined ? await askVersion() : newest);
  if (sparkVersion === undefined) return undefined;
  const line: SubmitLine = { input: { kind: "tokens", sparkVersion, tokens }, environment };
  if (action !== undefined) return { action: "run", line, command, name: action };
  const checked = await check(line, text, place.server, surroundings);
  if (checked === undefined) return undefined;
  const application = checked.plan.conf.get("spark.app.name")?.value ?? "spark-submit";
  const chosen = await chooseAction(application, checked.plan);
  return chosen && { action: chosen, line: checked.line, command, name: application };
}

const newest = "4.3";

/** `--kill` and the like, which need no version and no question more. */
function actionOf(tokens: readonly string[]): string | undefined {
  const { options } = parseCommandLine(tokens, versionTraits[newest]);
  const actions: readonly string[] = ["--kill", "--status", "--help", "--version", "--usage-error"];
  return options.find(({ name }) => actions.includes(name))?.name;
}

async function askVersion(): Promise<string | undefined> {
  const answer = await ask({
    title: l10n.t("Submit Pasted Command"),
    placeholder: l10n.t("Neither the command nor the image's tag tells: which Spark is meant?"),
    choices: sparkMinors.toReversed().map((label) => ({ label, value: label })),
    validate: undefined,
    step: 1,
    totalSteps: 1,
  });
  return answer?.kind === "answer" ? answer.value : undefined;
}

interface CheckedLine {
  readonly line: SubmitLine;
  readonly plan: SubmissionPlan;
}

// What spark-submit itself would refuse, before anything is chosen.
async function check(
  given: SubmitLine,
  text: string,
  server: () => Promise<string | undefined>,
  surroundings: Surroundings,
): Promise<CheckedLine | undefined> {
  let line = given;
  for (;;) {
    const prepared = prepareCommand(line.input, surroundings);
    if (prepared.ok) {
      return prepared.value.kind === "submit" ? { line, plan: prepared.value.plan } : undefined;
    }
    const errors = prepared.error.filter(({ severity }) => severity === "error");
    const chosen = await chooseWayOut(errors, await masterFor(errors, server));
    if (chosen === undefined) return undefined;
    if (chosen.way.kind === "edit") {
      await openPastedText(text, undefined);
      return undefined;
    }
    const tokens = ["--master", `k8s://${chosen.way.server}`, ...line.input.tokens];
    line = { ...line, input: { ...line.input, tokens } };
  }
}

// Without any master Spark takes this machine for it, which nothing in the line asks for.
const masterFor = (
  errors: readonly SubmissionFinding[],
  server: () => Promise<string | undefined>,
): Promise<string | undefined> =>
  errors.some(({ code, origin }) => code === "E-16" && origin === undefined)
    ? server()
    : Promise.resolve(undefined);

interface WayOut extends QuickPickItem {
  readonly way: { readonly kind: "edit" } | { readonly kind: "master"; readonly server: string };
}

function chooseWayOut(
  errors: readonly SubmissionFinding[],
  server: string | undefined,
): Thenable<WayOut | undefined> {
  const master: readonly WayOut[] =
    server === undefined
      ? []
      : [
          {
            label: l10n.t("$(server) Submit to the cluster in use"),
            description: `--master k8s://${server}`,
            way: { kind: "master", server },
          },
        ];
  const edit: WayOut = { label: l10n.t("$(edit) Edit the command"), way: { kind: "edit" } };
  const reasons = errors.map(({ message, code, key }): WayOut => ({
    label: `$(error) ${message}`,
    detail: key === undefined ? code : `${key} (${code})`,
    way: { kind: "edit" },
  }));
  return window.showQuickPick([...master, edit, ...reasons], {
    title: l10n.t("Submit Pasted Command"),
    placeHolder: l10n.t("The command cannot be submitted as it is"),
    ignoreFocusOut: true,
  });
}

async function chooseAction(
  name: string,
  { access, identity, sparkVersion }: SubmissionPlan,
): Promise<PastedAction | undefined> {
  const rows: readonly (QuickPickItem & { readonly action: PastedAction })[] = [
    {
      label: l10n.t("$(play) Run now"),
      description: l10n.t('to {0}, namespace "{1}"', access.server, identity.namespace),
      action: "run",
    },
    { label: l10n.t("$(open-preview) Preview"), action: "preview" },
    { label: l10n.t("$(checklist) Check before submitting"), action: "check" },
    { label: l10n.t("$(save) Save as run profile…"), action: "save" },
  ];
  const chosen = await window.showQuickPick(rows, {
    title: l10n.t('Submit "{0}" as Spark {1}', name, sparkVersion),
    placeHolder: l10n.t("What to do with the command"),
    ignoreFocusOut: true,
  });
  return chosen?.action;
}
