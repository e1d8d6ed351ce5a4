import { l10n } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { sparkMinors, sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";
import { sandboxContext } from "../ids.ts";
import { windowScreen } from "../windowScreen.ts";
import { translated } from "../ui/translated.ts";
import { findProfiles } from "../profiles/profileTasks.ts";
import { askSecrets } from "./askSecrets.ts";
import { askingTitle, commandTitle } from "./askingTitle.ts";
import { askAll, type Choice, type Question } from "./multiStep.ts";
import { orderConfChoices } from "./orderConfChoices.ts";
import {
  asChoice,
  imagesInUse,
  imagesOfProfiles,
  lacksAccount,
  serviceAccounts,
  uniqueChoices,
  withRights,
} from "./clusterChoices.ts";
import {
  argumentChoices,
  hasOpenQuote,
  isJvm,
  namesLocalFile,
  profileOfAnswers,
  submissionKeys,
  totalSteps,
  type SubmissionAnswers,
  type SubmissionKey,
} from "./submissionAnswers.ts";
import {
  browseFor,
  currentFile,
  fileChoice,
  findFiles,
  recentFile,
  resolveInWorkspace,
  type FoundFiles,
  type SubmissionQuestionOptions,
} from "./submissionChoices.ts";

/**
 * Prompts for the settings of a run profile. Preselects the current file if it fits the prompt, else the previous
 * answer, so that Enter accepts it. Undefined if the user cancels.
 */
export async function askForSubmission(
  options: SubmissionQuestionOptions,
): Promise<RunProfile | undefined> {
  const { namespace, memory } = options;
  const files = await findFiles(options.file);
  const program = options.program;
  const given = new Map<SubmissionKey, string>(
    program === undefined ? [] : [["resource", program.fsPath]],
  );
  // The program of a session takes no arguments.
  if (options.asking === "startSession") given.set("arguments", "");
  const chosen = await askAll(
    submissionKeys,
    (key, step, known) => questionFor(key, { step, answers: known, given }, options, files),
    given,
  );
  const answers =
    chosen && (await completeAnswers(chosen, translated(commandTitle(options.asking))));
  if (answers === undefined) return undefined;
  // Store only the user's answers, not those that the command supplied.
  memory.hold(new Map([...answers].filter(([key]) => !given.has(key))));
  return profileOfAnswers(answers, {
    namespace,
    // The sandbox's pods are local processes, which can read local files.
    readsLocalFiles: options.connection.context === sandboxContext,
  });
}

interface AskedStep {
  readonly step: number;
  readonly answers: SubmissionAnswers;
  /** The known answers, which need no prompt. */
  readonly given: SubmissionAnswers;
}

async function questionFor(
  key: SubmissionKey,
  { step, answers, given }: AskedStep,
  options: SubmissionQuestionOptions,
  { applications, propertiesFiles }: FoundFiles,
): Promise<Question | undefined> {
  const title = translated(
    askingTitle(options.asking, options.connection.context, options.namespace),
  );
  const last = options.memory.recall(key);
  const question = (
    placeholder: string,
    choices: readonly Choice[],
    validate: Question["validate"],
    more: Pick<Question, "resolve" | "describe" | "typed"> = {},
  ) => ({
    ...more,
    title,
    placeholder,
    choices: uniqueChoices(choices),
    validate,
    step,
    totalSteps: totalSteps(answers, given.size),
  });
  const resource = answers.get("resource") ?? "";
  switch (key) {
    case "resource":
      return question(
        l10n.t("Application: a local .py file or jar, local:///path in the image, or a URL"),
        [
          ...currentFile(options.file),
          ...last.map(recentFile),
          ...applications.map(fileChoice),
          browseFor(l10n.t("Select Application"), ["py", "jar"]),
        ],
        required(l10n.t("Enter the application's file or URL")),
        {
          typed: options.typed,
          resolve: (text) =>
            namesLocalFile(text)
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
    case "image": {
      const [running, tasks] = await Promise.all([imagesInUse(options), findProfiles()]);
      const named = imagesOfProfiles(tasks.map(({ definition }) => definition));
      return question(
        l10n.t("Spark image for the driver and executors"),
        [...last, ...running, ...named].map(asChoice),
        required(l10n.t("Enter an image, such as apache/spark:4.0.1")),
      );
    }
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
          "Service account of the driver (needs permission to manage pods and create config maps)",
        ),
        choices,
        required(l10n.t("Enter a service account")),
        {
          describe: (signal) => withRights(choices, options, windowScreen, signal),
          resolve: async (text) =>
            (await lacksAccount(options, text))
              ? { fault: l10n.t('No such service account in namespace "{0}"', options.namespace) }
              : { value: text },
        },
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
      return question(
        l10n.t("Arguments (quote values that contain spaces)"),
        argumentChoices(last, none, asChoice),
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

/** Prompts for the secrets that were removed from previous answers. Undefined if the user cancels. */
async function completeAnswers(
  answers: SubmissionAnswers,
  title: string,
): Promise<SubmissionAnswers | undefined> {
  const complete = new Map<SubmissionKey, string>();
  for (const [key, answer] of answers) {
    const whole = await askSecrets(answer, title, windowScreen);
    if (typeof whole !== "string") return undefined;
    complete.set(key, whole);
  }
  return complete;
}
