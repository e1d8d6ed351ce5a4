import type { Message } from "../../../../base/message.ts";
import type { ConfEntry } from "../../parse/confDocument.ts";
import type { ApplicationFacts } from "../../catalogue/applicationFacts.ts";
import type { Finding, RuleCode, Severity } from "../../lint/finding.ts";
import type { SparkVersion } from "../../catalogue/sparkVersions.ts";
import type { RuleConf } from "./conf.ts";

/**
 * A numbered rule. Its page and its test are generated from these members. The example `hit` violates the rule; the
 * similar example `miss` does not. Both assume `where`, `given` and the newest version that the rule applies to.
 */
export interface ConfRule {
  readonly code: RuleCode;
  readonly severity: Severity;
  /** The first and the last version (`to`) that the rule applies to. Undefined: no bound. */
  readonly from?: SparkVersion;
  readonly to?: SparkVersion;
  readonly where?: Where;
  readonly given?: ApplicationFacts;
  /** The message: what is wrong, in one or two sentences. */
  readonly says: Message;
  /** The reason and the fix. */
  readonly page: Message;
  readonly hit: string;
  readonly miss: string;
  /** `absence`: the violation consists only of missing keys, so a partial file may cause it. */
  readonly isAbout?: "absence";
  readonly check: (conf: RuleConf) => Iterable<Violation>;
}

/** `kubernetes`: only on this cluster manager. `cluster`, `client`: only on Kubernetes in this deploy mode. */
type Where = "kubernetes" | "cluster" | "client";

/** A violation of a rule at one place. */
export interface Violation {
  readonly at: ConfEntry;
  /** `key`: the span is the key. Otherwise the value is marked, or the key if there is no value. */
  readonly part?: "key";
  readonly says?: Message;
  readonly severity?: Severity;
  /** Keys whose absence from the document causes the violation. */
  readonly without?: readonly string[];
  /** The value that was probably meant, if that is unambiguous. */
  readonly replacement?: string;
  /**
   * True if the missing key belongs in the same file. `judgeRules` then keeps the severity, even in a partial document.
   */
  readonly isTorn?: true;
}

/**
 * Gives findings about single keys and values the number of a rule. If `says` and `page` are missing, another rule with
 * the same code defines them.
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
