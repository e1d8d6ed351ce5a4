import type { ApplicationFacts } from "../conf/catalogue/applicationFacts.ts";
import type { CodeToken } from "./codeTokens.ts";

const uses = ["resourceProfiles", "barrierStages", "cachedData"] as const;
/** A Spark API that a program uses, and that some settings conflict with or depend on. */
export type CodeUse = (typeof uses)[number];

const interfaces: ReadonlyMap<string, CodeUse> = new Map<string, CodeUse>([
  ["ResourceProfileBuilder", "resourceProfiles"],
  ["barrier", "barrierStages"],
  ["cache", "cachedData"],
  ["persist", "cachedData"],
]);

const names = [...interfaces.keys()];
export const mayUse = (text: string): boolean => names.some((name) => text.includes(name));

export function usesIn(tokens: readonly CodeToken[]): ReadonlySet<CodeUse> {
  const found = new Set<CodeUse>();
  tokens.forEach((token, index) => {
    const use = token.kind === "word" ? interfaces.get(token.text) : undefined;
    if (token.kind !== "word" || use === undefined || !isMark(tokens[index + 1], "(")) return;
    if (token.text === "ResourceProfileBuilder" || isMark(tokens[index - 1], ".")) found.add(use);
  });
  return found;
}

const isMark = (token: CodeToken | undefined, text: string): boolean =>
  token?.kind === "mark" && token.text === text;

// One `ApplicationFacts` for each language and set of used APIs. Programs share these objects, so that they can be keys
// of a memo.
const facts = new Map(
  (["python", "java"] as const).map((language) => [
    language,
    Array.from({ length: 2 ** uses.length }, (_, bits): ApplicationFacts => ({
      language,
      isCode: true,
      uses: new Set(uses.filter((_, index) => (bits & (1 << index)) !== 0)),
    })),
  ]),
);

/** Returns the `ApplicationFacts` that all programs in this language with these APIs share. */
export function codeFacts(
  language: "python" | "java",
  used: ReadonlySet<CodeUse>,
): ApplicationFacts {
  const bits = uses.reduce((sum, use, index) => sum + (used.has(use) ? 1 << index : 0), 0);
  return facts.get(language)?.[bits] ?? { language, uses: used };
}
