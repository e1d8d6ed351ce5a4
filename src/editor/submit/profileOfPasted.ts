import { msg, type Message } from "../../base/message.ts";
import { convert } from "../../spark/operator/convert.ts";
import type { ConversionLoss } from "../../spark/operator/submissionRequest.ts";
import { fillPasted } from "../../spark/submit/pasted/fillPasted.ts";
import { secretRule, type IsSecret } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";
import { minorOf } from "../../spark/submit/conf/sparkVersion.ts";
import { versionTraits } from "../../spark/submit/conf/versionTraits.ts";
import type { Screen } from "../screen.ts";
import type { PastedChoice } from "./readPasted.ts";
import { inputsForSecrets, type TaskInput } from "./secretInputs.ts";

export interface PastedProfile {
  readonly profile: RunProfile;
  readonly inputs: readonly TaskInput[];
  /** Differences between the profile and the line, as sentences. */
  readonly losses: readonly string[];
}

/**
 * Converts the line to a run profile. Variables and recognized secrets become task inputs, for which VS Code prompts on
 * each run. The value that the command assigns to a variable becomes the default of its input.
 */
export function profileOfPasted(
  { line, command }: Pick<PastedChoice, "line" | "command">,
  { translated }: Pick<Screen, "translated">,
): PastedProfile {
  const variables = command.variables.map(({ name, suggestion }) => {
    const id = name.replace(/[^\w-]/g, "") || "value";
    return { name, id, suggestion };
  });
  const asked = new Map(variables.map(({ name, id }) => [name, `\${input:${id}}`]));
  const { sparkVersion, tokens: given } = line.submission.input;
  const { tokens } = fillPasted(command, asked);
  // Keep a --master that `readPasted` added at the start of the line, because the command does not contain it.
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
    argument: translated(msg("Secret argument")),
    application: translated(msg("Secret in the application URL")),
  });
  return {
    profile: secrets.profile,
    inputs: [
      ...variables.map(({ name, id, suggestion }): TaskInput => ({
        id,
        type: "promptString",
        description: translated(msg`Value of ${name}`),
        ...(meansSecret(name, suggestion, isSecret)
          ? { password: true }
          : suggestion !== undefined && { default: suggestion }),
      })),
      ...secrets.inputs,
    ],
    losses: [
      ...losses.map((loss) => translated(lossWords(loss))),
      ...Object.keys(line.environment).map((name) =>
        translated(
          msg`${name}: a profile cannot set environment variables. Set it before you start VS Code.`,
        ),
      ),
      ...secrets.inputs.map(({ description }) =>
        translated(msg`${description}: looks like a secret, so each run asks for its value.`),
      ),
    ],
  };
}

/** True if the name or the value of a shell variable looks like a secret, which must not be written to tasks.json. */
const meansSecret = (name: string, value: string | undefined, isSecret: IsSecret): boolean => {
  const assignment = `${name}=${value ?? "value"}`;
  return redactLine(assignment, isSecret) !== assignment;
};

const lossWords = ({ entry, reason }: ConversionLoss): Message => msg`${entry}: ${reason}`;
