/** A submission request: a command line, or its parts. */
export type SubmissionInput = TokenInput | RequestInput;

export interface TokenInput {
  readonly kind: "tokens";
  readonly sparkVersion: string;
  /** The arguments of spark-submit, without the name of the command. */
  readonly tokens: readonly string[];
  /** Conf values for keys that neither the command line nor its files set. */
  readonly fallbacks?: Readonly<Record<string, string>>;
}

interface RequestInput {
  readonly kind: "request";
  readonly sparkVersion: string;
  /** `k8s://https://host:port`, or the server's address without the prefix `k8s://`. */
  readonly master: string;
  /** The kubeconfig context; undefined: the current one. */
  readonly context?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly mainClass?: string;
  readonly resource: string;
  readonly arguments?: readonly string[];
  readonly conf?: Readonly<Record<string, string>>;
  readonly propertiesFile?: string;
  readonly image?: string;
  readonly serviceAccount?: string;
  /** True if the submission waits until the application ends. */
  readonly waits?: boolean;
}

export const fallbacksOf = (input: SubmissionInput): Readonly<Record<string, string>> =>
  (input.kind === "tokens" ? input.fallbacks : undefined) ?? {};

/** Returns the equivalent command line, without the name of the command. */
export function submissionTokens(input: SubmissionInput): readonly string[] {
  if (input.kind === "tokens") return input.tokens;
  const option = (name: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [name, value];
  const conf = (key: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : ["--conf", `${key}=${value}`];
  const { master } = input;
  return [
    ...option("--master", master.startsWith("k8s://") ? master : `k8s://${master}`),
    ...option("--deploy-mode", "cluster"),
    ...option("--name", input.name),
    ...option("--class", input.mainClass),
    ...option("--properties-file", input.propertiesFile),
    ...Object.entries(input.conf ?? {}).flatMap(([key, value]) => conf(key, value)),
    // These options come after the `--conf` entries of the input, because the last entry of a key wins.
    ...conf("spark.kubernetes.context", input.context),
    ...conf("spark.kubernetes.namespace", input.namespace),
    ...conf("spark.kubernetes.container.image", input.image),
    ...conf("spark.kubernetes.authenticate.driver.serviceAccountName", input.serviceAccount),
    ...conf(
      "spark.kubernetes.submission.waitAppCompletion",
      input.waits === undefined ? undefined : `${input.waits}`,
    ),
    input.resource,
    ...(input.arguments ?? []),
  ];
}
