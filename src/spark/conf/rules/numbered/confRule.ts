import type { Message } from "../../../../base/message.ts";
import type { ConfEntry } from "../../parse/confDocument.ts";
import type { ApplicationFacts } from "../../catalogue/applicationFacts.ts";
import type { Finding, RuleCode, Severity } from "../../lint/finding.ts";
import type { SparkVersion } from "../../catalogue/sparkVersions.ts";
import type { RuleConf } from "./conf.ts";

/**
 * A rule with a number. Its page and its test are made of what stands here: `hit` breaks it, `miss` nearly
 * does. Both suppose what `where` and `given` say, and the newest version of those it holds for.
 */
export interface ConfRule {
  readonly code: RuleCode;
  readonly severity: Severity;
  /** The versions that it holds for; all, if undefined. */
  readonly from?: SparkVersion;
  readonly to?: SparkVersion;
  readonly where?: Where;
  readonly given?: ApplicationFacts;
  /** The message: what is wrong, in one or two sentences. */
  readonly says: Message;
  /** Why it is so, and what to do: text with code spans. */
  readonly page: Message;
  readonly hit: string;
  readonly miss: string;
  /** Whether what is said rests on something missing alone, so that a file need only be a part to break it. */
  readonly isAbout?: "absence";
  readonly check: (conf: RuleConf) => Iterable<Violation>;
}

/** `kubernetes`: on no other cluster manager. `cluster`, `client`: there, in that deploy mode. */
type Where = "kubernetes" | "cluster" | "client";

/** A place where a rule is broken. */
export interface Violation {
  readonly at: ConfEntry;
  /** The value is marked, unless it is the key that is wrong or there is no value. */
  readonly part?: "key";
  readonly says?: Message;
  readonly severity?: Severity;
  /** Keys whose absence from the document causes the violation. */
  readonly without?: readonly string[];
  /** The value that was clearly meant. */
  readonly replacement?: string;
  /** The missing key is normally set in the same file, so its absence is certain. */
  readonly isTorn?: true;
}

/**
 * A rule that gives its number to findings about single keys and values. Without words it adds such findings
 * to a rule that has its words elsewhere.
 */
export interface NamedProblem {
  readonly code: RuleCode;
  readonly severity: Severity;
  readonly from?: SparkVersion;
  readonly to?: SparkVersion;
  readonly says?: Message;
  readonly page?: Message;
  readonly hit: string;
  readonly miss: string;
  readonly names: (finding: Finding & { readonly key: string }) => boolean;
}
