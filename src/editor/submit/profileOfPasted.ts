import { l10n } from "vscode";
import { convert } from "../../spark/operator/convert.ts";
import type { Loss } from "../../spark/operator/submissionRequest.ts";
import { fillPasted } from "../../spark/submit/pasted/fillPasted.ts";
import { secretRule } from "../../spark/redact.ts";
import type { RunProfile } from "../../spark/submit/runProfile.ts";
import { minorOf } from "../../spark/submit/sparkVersion.ts";
import { versionTraits } from "../../spark/submit/versionTraits.ts";
import type { PastedChoice } from "./readPasted.ts";

/** An entry of `inputs` in tasks.json, which is asked for at each run. */
export interface TaskInput {
  readonly id: string;
  readonly type: "promptString";
  readonly description: string;
  readonly default?: string;
  readonly password?: true;
}

export interface PastedProfile {
  readonly profile: RunProfile;
  readonly inputs: readonly TaskInput[];
  /** What the profile does not say as the line did, in sentences. */
  readonly losses: readonly string[];
}

/**
 * The run profile that says what the line says: its variables are asked for at each run, as they were in the
 * line, and secrets are, too, so that none is written down.
 */
export function profileOfPasted({ line, command }: PastedChoice): PastedProfile {
  const variables = command.variables.map(({ name, suggestion }) => {
    const id = name.replace(/[^\w-]/g, "") || "value";
    return { name, id, suggestion };
  });
  const asked = new Map(variables.map(({ name, id }) => [name, `\${input:${id}}`]));
  const { sparkVersion, tokens: given } = line.input;
  const { tokens } = fillPasted(command, asked);
  // A master that was added to the line stands before it.
  const added = given.length > tokens.length && given[0] === "--master" && tokens[0] !== "--master";
  const input = {
    kind: "tokens",
    sparkVersion,
    tokens: added ? [...given.slice(0, 2), ...tokens] : tokens,
  } as const;
  const place = { sparkVersion, master: undefined, context: undefined, readFile: () => undefined };
  const { form, losses } = convert({ kind: "line", line: input }, "profile", place);
  if (form.kind !== "profile") throw new Error("a line was not made into a profile");
  const isSecret = secretRule(
    form.profile.conf?.["spark.redaction.regex"],
    versionTraits[minorOf(sparkVersion) ?? "4.3"].redactionPattern,
  );
  const secrets: TaskInput[] = [];
  const conf = Object.entries(form.profile.conf ?? {}).map(([key, value]): [string, string] => {
    if (value.includes("${input:") || !(isSecret(key) || isSecret(value))) return [key, value];
    const id = key.replace(/^spark\./, "");
    secrets.push({ id, type: "promptString", description: key, password: true });
    return [key, `\${input:${id}}`];
  });
  return {
    profile: { ...form.profile, ...(conf.length === 0 ? {} : { conf: Object.fromEntries(conf) }) },
    inputs: [
      ...variables.map(({ name, id, suggestion }): TaskInput => ({
        id,
        type: "promptString",
        description: l10n.t("Value of {0}", name),
        ...(suggestion === undefined ? {} : { default: suggestion }),
      })),
      ...secrets,
    ],
    losses: [
      ...losses.map(lossWords),
      ...Object.keys(line.environment).map((name) =>
        l10n.t("{0}: a profile sets no variables; set it where the editor is started.", name),
      ),
      ...secrets.map(({ description }) =>
        l10n.t("{0}: its value is asked for at each run, as it looks like a secret.", description),
      ),
    ],
  };
}

const lossWords = ({ entry, reason }: Loss): string => `${entry}: ${reason}`;
