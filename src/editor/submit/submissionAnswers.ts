import { sparkVersionOfImage } from "../../spark/submit/conf/sparkVersion.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";

export const submissionKeys = [
  "resource",
  "mainClass",
  "image",
  "sparkVersion",
  "serviceAccount",
  "propertiesFile",
  "arguments",
] as const;

export type SubmissionKey = (typeof submissionKeys)[number];
export type SubmissionAnswers = ReadonlyMap<SubmissionKey, string>;

/** `readsLocalFiles`: the pods are local processes, as in the sandbox. */
interface AnsweredPlace {
  readonly namespace: string;
  readonly readsLocalFiles: boolean;
}

export function profileOfAnswers(
  answers: SubmissionAnswers,
  { namespace, readsLocalFiles }: AnsweredPlace,
): RunProfile {
  const resource = answers.get("resource") ?? "";
  const args = splitArguments(answers.get("arguments") ?? "");
  const propertiesFile = answers.get("propertiesFile") ?? "";
  const mainClass = answers.get("mainClass");
  const sparkVersion = answers.get("sparkVersion");
  return {
    application: readsLocalFiles && resource.startsWith("/") ? `local://${resource}` : resource,
    image: answers.get("image") ?? "",
    namespace,
    serviceAccount: answers.get("serviceAccount") ?? "default",
    ...(mainClass === undefined ? {} : { class: mainClass }),
    ...(args.length === 0 ? {} : { args }),
    ...(sparkVersion === undefined ? {} : { sparkVersion }),
    ...(propertiesFile === "" ? {} : { propertiesFile }),
  };
}

/**
 * Returns a run profile from earlier answers; undefined if the image or the service account has no answer. `namespace`:
 * undefined for the context's namespace.
 */
export function profileOfMemory(
  application: string,
  namespace: string | undefined,
  recall: (key: SubmissionKey) => string | undefined,
  tellsVersion: (image: string) => boolean,
): RunProfile | undefined {
  const [image, serviceAccount, sparkVersion, propertiesFile] = [
    recall("image"),
    recall("serviceAccount"),
    recall("sparkVersion"),
    recall("propertiesFile") ?? "",
  ];
  if (image === undefined || serviceAccount === undefined) return undefined;
  const isTold = tellsVersion(image) || sparkVersion === undefined;
  return {
    application,
    image,
    serviceAccount,
    ...(namespace === undefined ? {} : { namespace }),
    ...(isTold ? {} : { sparkVersion }),
    ...(propertiesFile === "" ? {} : { propertiesFile }),
  };
}

export const namesLocalFile = (resource: string): boolean =>
  !/^[a-z][a-z0-9+.-]+:/i.test(resource) || resource.startsWith("file:");

/** Returns the path of a file relative to its workspace folder. Returns another resource unchanged. */
export const labelOfResource = (resource: string, relativeTo: (path: string) => string): string =>
  resource.startsWith("/") || /^[a-z]:[/\\]/i.test(resource) ? relativeTo(resource) : resource;

/** True if the user must name the main class. Scala and Java source files name it; Python and R programs have none. */
export const isJvm = (resource: string): boolean => !/\.(?:py|r|scala|java)$/i.test(resource);

/**
 * Returns the number of prompts. Includes the Spark version if the image does not name it. `givenCount`: the number of
 * answers that need no prompt.
 */
export function totalSteps(answers: SubmissionAnswers, givenCount: number): number {
  const resource = answers.get("resource");
  const image = answers.get("image");
  const extra = resource === undefined ? 0 : Number(isJvm(resource));
  const asksVersion = image !== undefined && sparkVersionOfImage(image) === undefined;
  return 5 - givenCount + extra + Number(asksVersion);
}

/**
 * Splits at white space outside single and double quotes, and removes the quotes. Unlike a shell, keeps backslashes.
 */
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

export const hasOpenQuote = (text: string): boolean =>
  /["']/.test(text.replace(/"[^"]*"|'[^']*'/g, ""));

/** Returns choices for earlier arguments. `none` comes first if it was the last answer, or the only one. */
export function argumentChoices<T>(
  last: readonly string[],
  none: T,
  choiceOf: (text: string) => T,
): readonly T[] {
  const recent = last.filter((text) => text !== "").map(choiceOf);
  return last[0] === "" || recent.length === 0 ? [none, ...recent] : [...recent, none];
}
