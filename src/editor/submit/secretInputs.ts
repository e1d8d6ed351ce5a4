import { numberedMask, type IsSecret, type Mask } from "../../spark/redact.ts";
import { redactLine } from "../../spark/redactLine.ts";
import { redactArguments, redactValue } from "../../spark/redactText.ts";
import { putBackInText } from "../../spark/submit/profile/heldSecrets.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";

/** An entry of `inputs` in tasks.json; VS Code prompts for its value on each run. */
export interface TaskInput {
  readonly id: string;
  readonly type: "promptString";
  readonly description: string;
  readonly default?: string;
  readonly password?: true;
}

/** Replaces the secrets of a profile with inputs. Variables stay unchanged. */
export function inputsForSecrets(
  profile: RunProfile,
  isSecret: IsSecret,
  words: { readonly argument: string; readonly application: string },
): { readonly profile: RunProfile; readonly inputs: readonly TaskInput[] } {
  const inputs: TaskInput[] = [];
  /**
   * Returns the texts from `hide` with an input variable (`${input:…}`) in place of each secret. Equal secrets share
   * a variable, because all texts share one mask.
   */
  const withInputs = (
    id: string,
    description: string,
    hide: (mask: Mask) => readonly string[],
  ): readonly string[] => {
    const secrets: string[] = [];
    const hidden = hide(numberedMask(secrets));
    const written = secrets.map((_, index) => {
      const own = index === 0 ? id : `${id}-${index + 1}`;
      return { own, text: `\${input:${own}}` };
    });
    const texts = hidden.map((text) =>
      putBackInText(
        text,
        written.map((one) => one.text),
      ),
    );
    for (const { own, text } of written) {
      // A secret inside another secret needs no input.
      if (!texts.some((one) => one.includes(text))) continue;
      inputs.push({ id: own, type: "promptString", description, password: true });
    }
    return texts;
  };
  const conf = Object.entries(profile.conf ?? {}).map(([key, value]): [string, string] => {
    const [text = value] = withInputs(key.replace(/^spark\./, ""), key, (mask) => [
      redactValue(key, value, isSecret, mask),
    ]);
    return [key, text];
  });
  const [application = profile.application] = withInputs(
    "application",
    words.application,
    (mask) => [redactLine(profile.application, isSecret, mask)],
  );
  const args = withInputs("argument", words.argument, (mask) =>
    redactArguments(profile.args ?? [], isSecret, mask),
  );
  return {
    profile: {
      ...profile,
      application,
      ...(args.length === 0 ? {} : { args }),
      ...(conf.length === 0 ? {} : { conf: Object.fromEntries(conf) }),
    },
    inputs,
  };
}
