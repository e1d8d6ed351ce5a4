// Files that settings name: properties files with more settings, and pod templates.
import type { ApplicationFacts } from "../conf/catalogue/applicationFacts.ts";
import { lastValue, type ConfDocument } from "../conf/parse/confDocument.ts";
import { parseProperties } from "../conf/parse/properties.ts";
import { isPlaceholder } from "../conf/values/placeholders.ts";
import { templateFacts } from "./templateFacts.ts";

/** Adds the contents of the files that the documents name. Ignores files that are not in `files`. */
export const withFiles = (
  documents: readonly ConfDocument[],
  files: ReadonlyMap<string, string>,
): readonly ConfDocument[] => documents.map((document) => withOwnFiles(document, files));

export function withOwnFiles(
  document: ConfDocument,
  files: ReadonlyMap<string, string>,
): ConfDocument {
  return files.size === 0
    ? withProperties(document, files)
    : withTemplates(withProperties(document, files), files);
}

function withProperties(document: ConfDocument, files: ReadonlyMap<string, string>): ConfDocument {
  const { propertiesFiles = [], application = {}, elsewhere = [] } = document;
  if (propertiesFiles.length === 0) return document;
  const texts = propertiesFiles.flatMap((path) => files.get(path) ?? []);
  const isWhole = texts.length === propertiesFiles.length && application.readsDefaults !== true;
  return {
    ...document,
    application: { ...application, isWhole },
    elsewhere: [...elsewhere, ...texts.flatMap((text) => parseProperties(text).entries)],
  };
}

function withTemplates(document: ConfDocument, files: ReadonlyMap<string, string>): ConfDocument {
  const factsFor = (role: "driver" | "executor"): ApplicationFacts["driverTemplate"] => {
    const text = files.get(textOf(document, templateKey(role)) ?? "");
    const container = textOf(document, `spark.kubernetes.${role}.podTemplateContainerName`);
    return text === undefined ? undefined : templateFacts(text, role, container);
  };
  const driverTemplate = factsFor("driver");
  const executorTemplate = factsFor("executor");
  if (driverTemplate === undefined && executorTemplate === undefined) return document;
  const application = {
    ...document.application,
    ...(driverTemplate === undefined ? {} : { driverTemplate }),
    ...(executorTemplate === undefined ? {} : { executorTemplate }),
  };
  return { ...document, application };
}

const templateKey = (role: string): string => `spark.kubernetes.${role}.podTemplateFile`;

const textOf = (document: ConfDocument, key: string): string | undefined =>
  lastValue(document, key) ?? document.elsewhere?.findLast((entry) => entry.key === key)?.value;

/** True if a text may name files. A fast check before parsing, because most texts name none. */
export const mayNameFiles = (text: string): boolean =>
  /properties-?file|podTemplateFile/i.test(text);

/** Returns the paths of the files that the documents name. */
export function filesNamedIn(documents: readonly ConfDocument[]): readonly string[] {
  const templates = documents.flatMap((document) =>
    ["driver", "executor"].flatMap((role) => textOf(document, templateKey(role)) ?? []),
  );
  const paths = [
    ...documents.flatMap(({ propertiesFiles = [] }) => propertiesFiles),
    ...templates.filter((path) => path !== "" && !isPlaceholder(path)),
  ];
  return [...new Set(paths)];
}
