import { msg, type Message } from "../../base/message.ts";
import { assertNever } from "../../base/assertNever.ts";
import type { Conversion, SubmissionForm } from "../../spark/operator/convert.ts";
import { printCommandLine } from "../../spark/operator/printLine.ts";
import { printYaml } from "../../spark/printYaml.ts";
import type { ConversionLoss } from "../../spark/operator/submissionRequest.ts";
import type { Screen } from "../screen.ts";
import { nameOfProfile } from "./profileName.ts";

export interface ConvertedText {
  readonly language: string;
  readonly text: string;
  /** The number of remarks at the top of the text. */
  readonly remarks: number;
}

/** Returns the conversion as a document. Comments at the top list the differences from the source. */
export function conversionText(
  { form, losses, findings, files }: Conversion,
  from: string,
  ownRemarks: readonly string[],
  { translated }: Pick<Screen, "translated">,
): ConvertedText {
  const remarks = unique([
    ...ownRemarks,
    ...findings.map(({ code, message }) => `${translated(message)} (${code})`),
    ...losses.map((loss) => translated(lossWords(loss))),
    ...files.map(({ name }) =>
      translated(msg`To do: save the generated file "${name}" and reference its path here.`),
    ),
  ]);
  const heading = translated(msg`${formWords(form.kind)}, converted from ${from}.`);
  const sign = form.kind === "profile" ? "//" : "#";
  const comments = [heading, ...remarks].flatMap((words) => commentLines(words, sign));
  const body = bodyOf(form);
  return {
    language: languages[form.kind],
    text: `${comments.join("\n")}\n${body}`,
    remarks: remarks.length,
  };
}

/** Returns the display name of a form. */
export function formWords(kind: SubmissionForm["kind"]): Message {
  switch (kind) {
    case "line":
      return msg("spark-submit line");
    case "kubeflow":
      return msg("SparkApplication of sparkoperator.k8s.io/v1beta2");
    case "apache":
      return msg("SparkApplication of spark.apache.org/v1");
    case "profile":
      return msg("Run profile");
    default:
      return assertNever(kind);
  }
}

const languages: Readonly<Record<SubmissionForm["kind"], string>> = {
  line: "shellscript",
  kubeflow: "yaml",
  apache: "yaml",
  profile: "jsonc",
};

function bodyOf(form: SubmissionForm): string {
  switch (form.kind) {
    case "line":
      return printCommandLine(form.line.tokens);
    case "kubeflow":
    case "apache": {
      const { apiVersion, kind, metadata, spec } = form.manifest;
      return printYaml({ apiVersion, kind, metadata, spec });
    }
    case "profile": {
      const { profile } = form;
      const task = { type: "spark", label: nameOfProfile(profile), ...profile };
      return `${JSON.stringify({ version: "2.0.0", tasks: [task] }, undefined, 2)}\n`;
    }
    default:
      return assertNever(form);
  }
}

function lossWords({ kind, entry, reason }: ConversionLoss): Message {
  switch (kind) {
    case "dropped":
      return msg`Omitted: ${entry}. ${reason}`;
    case "changed":
      return msg`Changed: ${entry}. ${reason}`;
    case "byHand":
      return msg`To do: ${entry}. ${reason}`;
    default:
      return assertNever(kind);
  }
}

const maxLineLength = 110;

// Splits at all white space: a line break from the source would end the comment.
function commentLines(words: string, sign: string): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words.split(/\s+/)) {
    if (line !== "" && line.length + word.length >= maxLineLength) {
      lines.push(line);
      line = "";
    }
    line += line === "" ? word : ` ${word}`;
  }
  return [...lines, line].map((text, index) => `${sign} ${index === 0 ? "" : "  "}${text}`);
}

const unique = (texts: readonly string[]): readonly string[] => [...new Set(texts)];
