import { msg, type Message } from "../../../base/message.ts";
import { redaction } from "../../redact.ts";
import type { ConfLayer } from "./layers.ts";

/**
 * Returns the settings of a running driver as layers on top of the submitted ones. Changed values count as set by the
 * application's code. Additional keys do not, because Spark itself sets most of them.
 */
export function runningLayers(
  submitted: ConfLayer,
  driver: { readonly name: Message; readonly conf: ReadonlyMap<string, string> },
): readonly ConfLayer[] {
  const before = new Map(submitted.settings.map(({ key, value }) => [key, value]));
  const added: [string, string][] = [];
  const changed: [string, string][] = [];
  for (const [key, value] of driver.conf) {
    const first = before.get(key);
    if (first === undefined) added.push([key, value]);
    else if (first !== value && value !== redaction)
      (isSupplement(first, value) ? added : changed).push([key, value]);
  }
  const layers = [
    submitted,
    layerOf(driver.name, added, false),
    layerOf(msg`${driver.name}, changed since`, changed, true),
  ];
  return layers.filter(({ settings }) => settings.length > 0);
}

// True if the driver has only prepended its Java module options to the submitted options.
const isSupplement = (submitted: string, value: string): boolean =>
  value.startsWith("-") && value.endsWith(submitted);

const layerOf = (
  name: Message,
  settings: readonly (readonly [string, string])[],
  isCode: boolean,
): ConfLayer => ({
  name,
  isCode,
  settings: settings.map(([key, value]) => ({ key, value, line: undefined })),
});
