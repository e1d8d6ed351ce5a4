import { assertNever } from "../../../base/assertNever.ts";
import type { Message } from "../../../base/message.ts";
import type { Span } from "../../../base/span.ts";
import type { SparkVersion } from "../catalogue/sparkVersions.ts";
import type { ValueProblem } from "../values/valueProblem.ts";

/** A finding in a conf document. `findingWords.ts` creates the message. */
export type Finding = { readonly span: Span } & (
  SyntaxProblem | KeyProblem | WrongValue | RuleViolation | ManifestProblem | UnknownOption
);

/** `\u` without four hexadecimal digits: Java rejects the whole file. */
interface SyntaxProblem {
  readonly code: "bad-escape";
}

export type KeyProblem = { readonly key: string } & (
  | { readonly code: "foreign-key" }
  | {
      readonly code: "unknown-key";
      readonly near: readonly string[];
      readonly version: SparkVersion;
    }
  | { readonly code: "future-key"; readonly first: SparkVersion; readonly version: SparkVersion }
  | {
      readonly code: "removed-key";
      /** The last minor version with the key. Undefined if `since`, the version that removed the key, is known. */
      readonly last: SparkVersion | undefined;
      readonly since: string | undefined;
      readonly successor: string | undefined;
    }
  | {
      readonly code: "deprecated-key";
      readonly since: string;
      readonly successor: string | undefined;
      /** True if this version still reads the key. */
      readonly isRead: boolean;
    }
  | { readonly code: "old-name"; readonly successor: string }
  /** Another setting overrides this one. `last` is the place of the effective setting's key, usually the last one. */
  | {
      readonly code: "duplicate-key";
      readonly last: Span;
      /** True if one of the two settings is a field of a manifest. */
      readonly isField?: boolean;
      /** True if both values are equal. */
      readonly isSame?: boolean;
      /** True if the effective setting is an option of a command, at any position. */
      readonly isOption?: boolean;
    }
);

type WrongValue = ValueProblem & {
  readonly key: string;
  readonly value: string;
  readonly version: SparkVersion;
};

/** A violation of a numbered rule across settings. */
interface RuleViolation {
  readonly code: "rule";
  readonly rule: RuleCode;
  readonly severity: Severity;
  readonly says: Message;
  /** Keys whose absence causes the violation. */
  readonly missing: readonly string[];
  /** The value that was probably meant, if that is unambiguous. */
  readonly replacement?: string;
}

/** A problem in an operator's manifest that concerns no Spark property. */
interface ManifestProblem {
  readonly code: "manifest";
  /** The kind of problem, such as `unknown-field`. */
  readonly problem: string;
  readonly severity: Severity;
  readonly says: Message;
  /** The replacement for the span, if it is unambiguous. */
  readonly replacement: string | undefined;
}

/** An option that spark-submit does not have. */
interface UnknownOption {
  readonly code: "unknown-option";
  readonly option: string;
  readonly near: string | undefined;
}

/** A rule's number and name: `R037-small-heap`. */
export type RuleCode = `R${number}-${string}`;

/**
 * `error`: Spark fails. `warning`: Spark runs, but not as the conf says. `information`: no action is needed.
 * `hint`: another file may set the missing key. Worst first.
 */
export const severities = ["error", "warning", "information", "hint"] as const;

export type Severity = (typeof severities)[number];

export function severityOf(finding: Finding): Severity {
  switch (finding.code) {
    case "bad-escape":
    case "empty-value":
    case "bad-boolean":
    case "bad-number":
    case "bad-size":
    case "bad-time":
    case "bad-choice":
    case "out-of-range":
    case "bad-regex":
    case "bad-form":
    case "unknown-option":
      return "error";
    case "foreign-key":
    case "unknown-key":
    case "future-key":
    case "removed-key":
    case "duplicate-key":
      return "warning";
    case "deprecated-key":
      return finding.isRead ? "information" : "warning";
    case "old-name":
      return "information";
    case "rule":
    case "manifest":
      return finding.severity;
    default:
      return assertNever(finding);
  }
}
