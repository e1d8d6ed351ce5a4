import { l10n, window, workspace, type Memento, type Uri } from "vscode";
import { assertNever } from "../../base/assertNever.ts";
import type { Connection } from "../../engine/ports.ts";
import type { RunProfile } from "../../spark/submit/runProfile.ts";
import { sparkMinors, sparkVersionOfImage } from "../../spark/submit/sparkVersion.ts";
import { sandboxContext } from "../ids.ts";
import { askAll, type Choice, type Question } from "./multiStep.ts";

export interface AskOptions {
  readonly connection: Connection;
  readonly namespace: string;
  readonly memory: Memento;
  /** The file that the command was called on. */
  readonly file: Uri | undefined;
}

const keys = [
  "resource",
  "inImage",
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
 * Asks for a run profile. Every answer may be the one of the last time, which stands first: Enter through the
 * steps gives it again.
 */
export async function askForSubmission(options: AskOptions): Promise<RunProfile | undefined> {
  const { namespace, memory } = options;
  const propertiesFiles = await findPropertiesFiles(options.file);
  const answers = await askAll(keys, (key, step, known) =>
    questionFor(key, step, known, options, propertiesFiles),
  );
  if (answers === undefined) return undefined;
  for (const [key, answer] of answers)
    await memory.update(memoryKey(key), remembered(memory, key, answer));
  const image = answers.get("image") ?? "";
  const propertiesFile = answers.get("propertiesFile") ?? "";
  const args = splitArguments(answers.get("arguments") ?? "");
  const mainClass = answers.get("mainClass");
  const sparkVersion = answers.get("sparkVersion");
  return {
    application: answers.get("inImage") ?? seenByDriver(options, answers.get("resource") ?? ""),
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
  options: AskOptions,
  propertiesFiles: readonly Uri[],
): Promise<Question | undefined> {
  const title = l10n.t(
    'Submit Application to "{0}", namespace "{1}"',
    options.connection.context,
    options.namespace,
  );
  const last = recall(options.memory, key);
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
    totalSteps: totalSteps(answers, options),
  });
  const resource = answers.get("resource") ?? "";
  switch (key) {
    case "resource":
      return question(
        l10n.t(
          "Application: a .py file or jar, as local:///path in the image, a URL, or a file here",
        ),
        [...ofFile(options.file), ...last.map(asChoice)],
        required(l10n.t("Type the application's file or URL")),
      );
    case "inImage": {
      if (!isLocalFile(resource) || isSandbox(options)) return undefined;
      const name = resource.slice(resource.lastIndexOf("/") + 1);
      return question(
        l10n.t(
          "The driver cannot read files of this machine: where is {0} in the image, or at which URL?",
          name,
        ),
        [
          ...last.filter((path) => path.endsWith(`/${name}`)),
          `local:///opt/spark/work-dir/${name}`,
        ].map(asChoice),
        required(l10n.t("Type the file's place")),
      );
    }
    case "mainClass":
      if (!isJvm(resource)) return undefined;
      return question(
        l10n.t("Main class"),
        last.map(asChoice),
        required(l10n.t("Type the class's full name")),
      );
    case "image":
      return question(
        l10n.t("Container image with Spark, of driver and executors"),
        last.map(asChoice),
        required(l10n.t("Type the image's name, as in apache/spark:4.0.1")),
      );
    case "sparkVersion":
      if (sparkVersionOfImage(answers.get("image") ?? "") !== undefined) return undefined;
      return question(
        l10n.t("The image's tag does not tell: which Spark is in it?"),
        [...last, ...sparkMinors.toReversed()].map(asChoice),
        undefined,
      );
    case "serviceAccount":
      return question(
        l10n.t("Service account of the driver, which may create pods, services and config maps"),
        [...last, ...(await serviceAccounts(options))].map(asChoice),
        required(l10n.t("Type the service account's name")),
      );
    case "propertiesFile": {
      if (propertiesFiles.length === 0) return undefined;
      const files = propertiesFiles.map((uri) => ({
        label: workspace.asRelativePath(uri),
        value: uri.fsPath,
      }));
      const none = { label: l10n.t("no conf file"), value: "" };
      const all = [...files, none];
      const first = all.filter(({ value }) => value === last[0]);
      const called = files.filter(({ value }) => value === options.file?.fsPath);
      return question(
        l10n.t("Conf file with the application's settings"),
        [...called, ...first, ...all],
        undefined,
      );
    }
    case "arguments": {
      const none = { label: l10n.t("no arguments"), value: "" };
      const recent = last.filter((text) => text !== "").map(asChoice);
      const isNoneLast = last[0] === "";
      return question(
        l10n.t("Arguments of the application, in quotes where they hold blanks"),
        isNoneLast || recent.length === 0 ? [none, ...recent] : [...recent, none],
        (text) => (hasOpenQuote(text) ? l10n.t("a quote is not closed") : undefined),
      );
    }
    default:
      return assertNever(key);
  }
}

// ---- Choices -----------------------------------------------------------------------------------

const asChoice = (text: string): Choice => ({ label: text, value: text });

function unique(choices: readonly Choice[]): readonly Choice[] {
  const seen = new Set<string>();
  return choices.filter(({ value }) => !seen.has(value) && seen.add(value));
}

/** The file that the command was called on, else the one in the active editor. */
function ofFile(file: Uri | undefined): readonly Choice[] {
  const uri = file ?? window.activeTextEditor?.document.uri;
  if (uri?.scheme !== "file" || !/\.(?:py|jar)$/i.test(uri.path)) return [];
  return [
    { label: workspace.asRelativePath(uri), value: uri.fsPath, description: l10n.t("this file") },
  ];
}

async function findPropertiesFiles(file: Uri | undefined): Promise<readonly Uri[]> {
  const found = await workspace.findFiles("**/{spark-defaults*.conf,*.spark.conf}", undefined, 50);
  const isConf = file !== undefined && !/\.(?:py|jar)$/i.test(file.path);
  const all = isConf ? [file, ...found] : found;
  const byPath = new Map(all.map((uri) => [uri.fsPath, uri]));
  return [...byPath.values()].sort((a, b) => a.path.localeCompare(b.path));
}

// Whoever may not list them types the name.
async function serviceAccounts({ connection, namespace }: AskOptions): Promise<readonly string[]> {
  const listed = await connection.objects.list(
    { apiVersion: "v1", kind: "ServiceAccount" },
    namespace,
    "",
    AbortSignal.timeout(3000),
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

const isLocalFile = (resource: string): boolean =>
  !/^[a-z][a-z0-9+.-]+:/i.test(resource) || resource.startsWith("file:");

/** Its pods are processes of this machine: they see its files. */
const isSandbox = ({ connection }: AskOptions): boolean => connection.context === sandboxContext;

const seenByDriver = (options: AskOptions, resource: string): string =>
  isSandbox(options) && resource.startsWith("/") ? `local://${resource}` : resource;

const isJvm = (resource: string): boolean => !/\.(?:py|r)$/i.test(resource);

const totalSteps = (answers: Answers, options: AskOptions): number => {
  const resource = answers.get("resource");
  const extra =
    resource === undefined
      ? 0
      : Number(isJvm(resource)) + Number(isLocalFile(resource) && !isSandbox(options));
  return 5 + extra;
};

/** Words as a shell splits them: blanks part, single and double quotes hold together. */
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

// ---- Memory ------------------------------------------------------------------------------------

// Enough to switch between a few applications, few enough to choose from at a glance.
const answersKept = 5;

const memoryKey = (key: Key): string => `submit.${key}`;

const recall = (memory: Memento, key: Key): readonly string[] =>
  memory.get<readonly string[]>(memoryKey(key), []);

const remembered = (memory: Memento, key: Key, answer: string): readonly string[] =>
  [answer, ...recall(memory, key).filter((one) => one !== answer)].slice(0, answersKept);
