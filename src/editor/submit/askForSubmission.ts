import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { sparkMinors, sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";
import { sandboxContext } from "../ids.ts";
import { askSecrets } from "./askSecrets.ts";
import { askAll, type Choice, type Question } from "./multiStep.ts";
import { orderConfChoices } from "./orderConfChoices.ts";
import {
  asChoice,
  browseFor,
  currentFile,
  fileChoice,
  findFiles,
  imagesInUse,
  resolveInWorkspace,
  serviceAccounts,
  uniqueChoices,
  withRights,
  type FoundFiles,
  type SubmissionQuestionOptions,
} from "./submissionChoices.ts";

const keys = [
  "resource",
  "mainClass",
  "image",
  "sparkVersion",
  "serviceAccount",
  "propertiesFile",
  "arguments",
] as const;

type Key = (typeof keys)[number];
type Answers = ReadonlyMap<Key, string>;

/**
 * Asks for a run profile. Previous answers are preselected, so that Enter at each step repeats them. Undefined if the
 * user cancels.
 */
export async function askForSubmission(
  options: SubmissionQuestionOptions,
): Promise<RunProfile | undefined> {
  const { namespace, memory } = options;
  const files = await findFiles(options.file);
  const program = options.program;
  const given = new Map<Key, string>(program === undefined ? [] : [["resource", program.fsPath]]);
  const chosen = await askAll(
    keys,
    (key, step, known) => questionFor(key, step, known, options, files),
    given,
  );
  const answers = chosen && (await completeAnswers(chosen));
  if (answers === undefined) return undefined;
  memory.hold(answers);
  const image = answers.get("image") ?? "";
  const propertiesFile = answers.get("propertiesFile") ?? "";
  const args = splitArguments(answers.get("arguments") ?? "");
  const mainClass = answers.get("mainClass");
  const sparkVersion = answers.get("sparkVersion");
  return {
    application: seenByDriver(options, answers.get("resource") ?? ""),
    image,
    namespace,
    serviceAccount: answers.get("serviceAccount") ?? "default",
    ...(mainClass === undefined ? {} : { class: mainClass }),
    ...(args.length === 0 ? {} : { args }),
    ...(sparkVersion === undefined ? {} : { sparkVersion }),
    ...(propertiesFile === "" ? {} : { propertiesFile }),
  };
}

async function questionFor(
  key: Key,
  step: number,
  answers: Answers,
  options: SubmissionQuestionOptions,
  { applications, propertiesFiles }: FoundFiles,
): Promise<Question | undefined> {
  const title = l10n.t(
    'Submit Application to "{0}", namespace "{1}"',
    options.connection.context,
    options.namespace,
  );
  const last = options.memory.recall(key);
  const question = (
    placeholder: string,
    choices: readonly Choice[],
    validate: Question["validate"],
    more: Pick<Question, "resolve" | "describe"> = {},
  ) => ({
    ...more,
    title,
    placeholder,
    choices: uniqueChoices(choices),
    validate,
    step,
    totalSteps: totalSteps(answers) - (options.program === undefined ? 0 : 1),
  });
  const resource = answers.get("resource") ?? "";
  switch (key) {
    case "resource":
      return question(
        l10n.t("Application: a local .py file or jar, local:///path in the image, or a URL"),
        [
          ...currentFile(options.file),
          ...last.map(asChoice),
          ...applications.map(fileChoice),
          browseFor(l10n.t("Select Application"), ["py", "jar"]),
        ],
        required(l10n.t("Enter the application's file or URL")),
        {
          resolve: (text) =>
            isLocalFile(text)
              ? resolveInWorkspace(
                  text,
                  applications,
                  l10n.t("No such file. Choose one, or enter local:///path in the image or a URL."),
                )
              : Promise.resolve({ value: text }),
        },
      );
    case "mainClass":
      if (!isJvm(resource)) return undefined;
      return question(
        l10n.t("Main class"),
        last.map(asChoice),
        required(l10n.t("Enter the fully qualified class name")),
      );
    case "image":
      return question(
        l10n.t("Spark image for the driver and executors"),
        [...last, ...(await imagesInUse(options))].map(asChoice),
        required(l10n.t("Enter an image, such as apache/spark:4.0.1")),
      );
    case "sparkVersion":
      if (sparkVersionOfImage(answers.get("image") ?? "") !== undefined) return undefined;
      return question(
        l10n.t("Which Spark version is in this image?"),
        [...last, ...sparkMinors.toReversed()].map(asChoice),
        undefined,
      );
    case "serviceAccount": {
      const choices = uniqueChoices([...last, ...(await serviceAccounts(options))].map(asChoice));
      return question(
        l10n.t(
          "Service account of the driver (needs permission to create pods, services and config maps)",
        ),
        choices,
        required(l10n.t("Enter a service account")),
        { describe: (signal) => withRights(choices, options, signal) },
      );
    }
    case "propertiesFile": {
      const none = { label: l10n.t("No configuration file"), value: "" };
      const files = propertiesFiles.map(fileChoice);
      return question(
        l10n.t("Configuration file (spark-defaults.conf)"),
        [
          ...orderConfChoices(files, none, { called: options.file?.fsPath, last: last[0] }),
          browseFor(l10n.t("Select Configuration File"), ["conf", "properties"]),
        ],
        () => undefined,
        {
          resolve: (text) =>
            text === ""
              ? Promise.resolve({ value: text })
              : resolveInWorkspace(
                  text,
                  propertiesFiles,
                  l10n.t("No such file. Choose one, or No configuration file."),
                ),
        },
      );
    }
    case "arguments": {
      const none = { label: l10n.t("No arguments"), value: "" };
      const recent = last.filter((text) => text !== "").map(asChoice);
      const isNoneLast = last[0] === "";
      return question(
        l10n.t("Arguments (quote values that contain spaces)"),
        isNoneLast || recent.length === 0 ? [none, ...recent] : [...recent, none],
        (text) => (hasOpenQuote(text) ? l10n.t("Missing closing quote") : undefined),
      );
    }
    default:
      return assertNever(key);
  }
}

// ---- Answers -----------------------------------------------------------------------------------

const required =
  (advice: string) =>
  (text: string): string | undefined =>
    text === "" ? advice : undefined;

const isLocalFile = (resource: string): boolean =>
  !/^[a-z][a-z0-9+.-]+:/i.test(resource) || resource.startsWith("file:");

/** The sandbox's pods are local processes, which can read local files. */
const isSandbox = ({ connection }: SubmissionQuestionOptions): boolean =>
  connection.context === sandboxContext;

const seenByDriver = (options: SubmissionQuestionOptions, resource: string): string =>
  isSandbox(options) && resource.startsWith("/") ? `local://${resource}` : resource;

/** The class of a source file is that of its main method. */
const isJvm = (resource: string): boolean => !/\.(?:py|r|scala|java)$/i.test(resource);

const totalSteps = (answers: Answers): number => {
  const resource = answers.get("resource");
  const image = answers.get("image");
  const extra = resource === undefined ? 0 : Number(isJvm(resource));
  const asksVersion = image !== undefined && sparkVersionOfImage(image) === undefined;
  return 5 + extra + Number(asksVersion);
};

/** Splits at spaces outside single and double quotes, like a shell. */
function splitArguments(text: string): readonly string[] {
  const words: string[] = [];
  for (const match of text.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)) {
    words.push(
      match[0].replace(
        /"([^"]*)"|'([^']*)'/g,
        (_, double?: string, single?: string) => double ?? single ?? "",
      ),
    );
  }
  return words;
}

const hasOpenQuote = (text: string): boolean => /["']/.test(text.replace(/"[^"]*"|'[^']*'/g, ""));

/** Asks for the secrets that were removed from previous answers. Undefined if the user cancels. */
async function completeAnswers(answers: Answers): Promise<Answers | undefined> {
  const complete = new Map<Key, string>();
  for (const [key, answer] of answers) {
    const whole = await askSecrets(answer, l10n.t("Submit Application"));
    if (typeof whole !== "string") return undefined;
    complete.set(key, whole);
  }
  return complete;
}
