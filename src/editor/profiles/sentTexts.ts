import type { Memento } from "vscode";

/** What was sent last, without its secrets. */
export interface SentText {
  readonly name: string;
  readonly at: number;
  readonly text: string;
}

// A submission is some 10 KB; files that are sent along may make it larger.
const longestText = 256 * 1024;
const textsKept = 20;
const key = "profiles.sent";

export const lastSent = (memory: Memento, name: string): SentText | undefined =>
  memory.get<readonly SentText[]>(key, []).find((sent) => sent.name === name);

/** Keeps a text in place of the one before; of many profiles the latest are kept. */
export async function keepSent(memory: Memento, sent: SentText): Promise<void> {
  const others = memory.get<readonly SentText[]>(key, []).filter(({ name }) => name !== sent.name);
  const kept = sent.text.length > longestText ? others : [sent, ...others];
  await memory.update(key, kept.slice(0, textsKept));
}
