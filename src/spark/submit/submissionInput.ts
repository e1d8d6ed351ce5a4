/** What a person or a task asks for: a whole command line, or the same in pieces. */
export type SubmissionInput = TokenInput | RequestInput;

export interface TokenInput {
  readonly kind: "tokens";
  readonly sparkVersion: string;
  /** Without the command itself. */
  readonly tokens: readonly string[];
  /** Conf that counts where neither the line nor a file of it says anything of the key. */
  readonly fallbacks?: Readonly<Record<string, string>>;
}

export interface RequestInput {
  readonly kind: "request";
  readonly sparkVersion: string;
  /** `k8s://https://host:port`, or the server's address alone. */
  readonly master: string;
  /** The kubeconfig's context, if it is not the current one. */
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
  /** Wait for the application's end before the submission counts as over. */
  readonly waits?: boolean;
}

export const fallbacksOf = (input: SubmissionInput): Readonly<Record<string, string>> =>
  (input.kind === "tokens" ? input.fallbacks : undefined) ?? {};

/** The command line that says the same as the input. */
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
    // Behind the free entries, since of one key the last counts.
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
