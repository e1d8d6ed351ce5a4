import { l10n, workspace, type Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Connection } from "../../engine/ports.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { sparkMinors, sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";
import { driverRole, roleLabel } from "../../spark/labels.ts";
import { decodePod } from "../../spark/pods/decodePod.ts";
import { sparkContainerOf } from "../../spark/pods/sparkContainer.ts";
import { sandboxContext } from "../ids.ts";
import type { AnswerMemory } from "./answerMemory.ts";
import { askSecrets } from "./askSecrets.ts";
import { askAll, type Choice, type Question } from "./multiStep.ts";
import { window } from "../ui/window.ts";

export interface SubmissionQuestionOptions {
  readonly connection: Connection;
  readonly namespace: string;
  readonly memory: AnswerMemory;
  /** The file that the command was called on. */
  readonly file: Uri | undefined;
}

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
  const chosen = await askAll(keys, (key, step, known) =>
    questionFor(key, step, known, options, files),
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
  ) => ({
    title,
    placeholder,
    choices: unique(choices),
    validate,
    step,
    totalSteps: totalSteps(answers),
  });
  const resource = answers.get("resource") ?? "";
  switch (key) {
    case "resource":
      return question(
        l10n.t("Application: a local .py file or jar, local:///path in the image, or a URL"),
        [
          ...ofFile(options.file),
          ...last.map(asChoice),
          ...applications.map(fileChoice),
          browseFor(l10n.t("Select Application"), ["py", "jar"]),
        ],
        required(l10n.t("Enter the application's file or URL")),
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
    case "serviceAccount":
      return question(
        l10n.t(
          "Service account of the driver (needs permission to create pods, services and config maps)",
        ),
        [...last, ...(await serviceAccounts(options))].map(asChoice),
        required(l10n.t("Enter a service account")),
      );
    case "propertiesFile": {
      const files = propertiesFiles.map(fileChoice);
      const none = { label: l10n.t("No configuration file"), value: "" };
      const all = [...files, none];
      const first = all.filter(({ value }) => value === last[0]);
      const called = files.filter(({ value }) => value === options.file?.fsPath);
      return question(
        l10n.t("Configuration file (spark-defaults.conf)"),
        [
          ...called,
          ...first,
          ...all,
          browseFor(l10n.t("Select Configuration File"), ["conf", "properties"]),
        ],
        undefined,
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

// ---- Choices -----------------------------------------------------------------------------------

const asChoice = (text: string): Choice => ({ label: text, value: text });

const fileChoice = (uri: Uri): Choice => ({
  label: workspace.asRelativePath(uri),
  value: uri.fsPath,
});

/** A row that is always shown, so that Enter on an unmatched name opens a file dialog. */
const browseFor = (title: string, extensions: readonly string[]): Choice => ({
  label: l10n.t("Browse…"),
  value: "\0browse",
  alwaysShow: true,
  browse: async () => {
    const filters = { [extensions.map((each) => `*.${each}`).join(", ")]: [...extensions] };
    const chosen = await window.showOpenDialog({ title, filters });
    return chosen?.[0]?.fsPath;
  },
});

function unique(choices: readonly Choice[]): readonly Choice[] {
  const seen = new Set<string>();
  return choices.filter(({ value }) => !seen.has(value) && seen.add(value));
}

/** The command's file, else that of the active editor, if it is an application. */
function ofFile(file: Uri | undefined): readonly Choice[] {
  const uri = file ?? window.activeTextEditor?.document.uri;
  if (uri?.scheme !== "file" || !/\.(?:py|jar)$/i.test(uri.path)) return [];
  return [
    {
      label: workspace.asRelativePath(uri),
      value: uri.fsPath,
      description: l10n.t("current file"),
    },
  ];
}

interface FoundFiles {
  readonly applications: readonly Uri[];
  readonly propertiesFiles: readonly Uri[];
}

async function findFiles(file: Uri | undefined): Promise<FoundFiles> {
  const find = (pattern: string): Thenable<Uri[]> => workspace.findFiles(pattern, notSources, 50);
  const [applications, conf] = await Promise.all([
    find("**/*.{py,jar}"),
    find("**/{spark-defaults*.conf,*.spark.conf}"),
  ]);
  const isConf = file !== undefined && !/\.(?:py|jar)$/i.test(file.path);
  return {
    applications: byPath(applications),
    propertiesFiles: byPath(isConf ? [file, ...conf] : conf),
  };
}

const notSources = "**/{node_modules,.venv,venv,site-packages,.git}/**";

function byPath(uris: readonly Uri[]): readonly Uri[] {
  const unique = new Map(uris.map((uri) => [uri.fsPath, uri]));
  return [...unique.values()].sort((a, b) => a.path.localeCompare(b.path));
}

/** Images of the drivers in the namespace; none without the right to list pods. */
async function imagesInUse({
  connection,
  namespace,
}: SubmissionQuestionOptions): Promise<readonly string[]> {
  const listed = await connection.objects.list(
    { apiVersion: "v1", kind: "Pod" },
    namespace,
    `${roleLabel}=${driverRole}`,
    AbortSignal.timeout(listMs),
  );
  if (!listed.ok) return [];
  return listed.value.flatMap(({ body }) => {
    const pod = decodePod(body);
    const image = pod && sparkContainerOf(pod)?.image;
    return image === undefined ? [] : [image];
  });
}

// Suggestions must not delay the question for long.
const listMs = 3000;

/** The service accounts of the namespace; only "default" without the right to list them. */
async function serviceAccounts({
  connection,
  namespace,
}: SubmissionQuestionOptions): Promise<readonly string[]> {
  const listed = await connection.objects.list(
    { apiVersion: "v1", kind: "ServiceAccount" },
    namespace,
    "",
    AbortSignal.timeout(listMs),
  );
  return listed.ok ? listed.value.map(({ name }) => name).sort(sparkFirst) : ["default"];
}

const sparkFirst = (a: string, b: string): number =>
  Number(b.includes("spark")) - Number(a.includes("spark")) || a.localeCompare(b);

// ---- Answers -----------------------------------------------------------------------------------

const required =
  (advice: string) =>
  (text: string): string | undefined =>
    text === "" ? advice : undefined;

/** The sandbox's pods are local processes, which can read local files. */
const isSandbox = ({ connection }: SubmissionQuestionOptions): boolean =>
  connection.context === sandboxContext;

const seenByDriver = (options: SubmissionQuestionOptions, resource: string): string =>
  isSandbox(options) && resource.startsWith("/") ? `local://${resource}` : resource;

const isJvm = (resource: string): boolean => !/\.(?:py|r)$/i.test(resource);

const totalSteps = (answers: Answers): number => {
  const resource = answers.get("resource");
  const extra = resource === undefined ? 0 : Number(isJvm(resource));
  return 6 + extra;
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
