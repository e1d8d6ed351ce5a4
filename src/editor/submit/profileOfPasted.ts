import { translated } from "../ui/translated.ts";
import { msg } from "../../base/message.ts";
import { l10n } from "vscode";
import { convert } from "../../spark/operator/convert.ts";
import type { Loss } from "../../spark/operator/submissionRequest.ts";
import { fillPasted } from "../../spark/submit/pasted/fillPasted.ts";
import { secretRule } from "../../spark/redact.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { minorOf } from "../../spark/submit/conf/sparkVersion.ts";
import { versionTraits } from "../../spark/submit/conf/versionTraits.ts";
import type { PastedChoice } from "./readPasted.ts";
import { inputsForSecrets, type TaskInput } from "./secretInputs.ts";

export interface PastedProfile {
  readonly profile: RunProfile;
  readonly inputs: readonly TaskInput[];
  /** Differences between the profile and the line, as sentences. */
  readonly losses: readonly string[];
}

/**
 * Converts the line to a run profile. Variables and secrets become task inputs, asked for at each run, so no secret
 * is written to the file.
 */
export function profileOfPasted({ line, command }: PastedChoice): PastedProfile {
  const variables = command.variables.map(({ name, suggestion }) => {
    const id = name.replace(/[^\w-]/g, "") || "value";
    return { name, id, suggestion };
  });
  const asked = new Map(variables.map(({ name, id }) => [name, `\${input:${id}}`]));
  const { sparkVersion, tokens: given } = line.submission.input;
  const { tokens } = fillPasted(command, asked);
  // An added --master is at the start of the line.
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
  const secrets = inputsForSecrets(form.profile, isSecret, {
    argument: l10n.t("Secret argument"),
    application: l10n.t("Secret in the application URL"),
  });
  return {
    profile: secrets.profile,
    inputs: [
      ...variables.map(({ name, id, suggestion }): TaskInput => ({
        id,
        type: "promptString",
        description: l10n.t("Value of {0}", name),
        ...(suggestion === undefined ? {} : { default: suggestion }),
      })),
      ...secrets.inputs,
    ],
    losses: [
      ...losses.map(lossWords),
      ...Object.keys(line.environment).map((name) =>
        l10n.t(
          "{0}: a profile cannot set environment variables. Set it before you start VS Code.",
          name,
        ),
      ),
      ...secrets.inputs.map(({ description }) =>
        l10n.t("{0}: looks like a secret, so each run asks for its value.", description),
      ),
    ],
  };
}

const lossWords = ({ entry, reason }: Loss): string => translated(msg`${entry}: ${reason}`);
