import { collectFindings } from "../plan/collectFindings.ts";
import type { ResolvedEntry } from "./conf.ts";
import { absolutePath } from "../arguments/localPath.ts";
import { problems } from "../plan/problems.ts";
import { readBoolean, readEntry, readInt, readConfText, type ConfReading } from "./readConf.ts";
import type { Checked, SubmissionFinding } from "../plan/submissionFinding.ts";
import type { SubmissionEnvironment } from "./environment.ts";

/** Connection options from the conf, which override the kubeconfig. */
export interface ConfAccess {
  /** The master's server, which overrides the server of the context. */
  readonly server: string;
  /** The kubeconfig context. Undefined: the current one. */
  readonly context: string | undefined;
  readonly token: AccessToken | undefined;
  readonly caCertFile: string | undefined;
  readonly clientKeyFile: string | undefined;
  readonly clientCertFile: string | undefined;
  readonly trustsAnyCertificate: boolean;
  /** The value of `spark.kubernetes.submission.requestTimeout`. Undefined if the conf does not set it. */
  readonly requestTimeoutMs: number | undefined;
  readonly connectionTimeoutMs: number | undefined;
}

interface AccessToken {
  /** A secret, which must not be shown or logged. */
  readonly text: string;
  readonly source: TokenSource;
}

/**
 * The origin of a token. `literal`: the text of a document or command contains the token. `variable`: a reference in
 * that text resolves to it. `environment`: the value of an environment variable. `file`: a token file, or a conf file
 * that contains the token.
 */
type TokenSource =
  | { readonly kind: "literal" }
  | { readonly kind: "variable" }
  | { readonly kind: "environment"; readonly name: string }
  | { readonly kind: "file"; readonly path: string };

/**
 * Corrects the source of a token from a document or a command. `written`: the text before its variables were resolved.
 * The source is `literal` if that text contains the token, otherwise `variable`. Keeps other sources, such as files.
 * `environment`: the variables that the command sets.
 */
export function withWrittenToken(
  access: ConfAccess,
  written: string,
  environment: Readonly<Record<string, string>>,
): ConfAccess {
  const { token } = access;
  if (token === undefined) return access;
  const { text, source } = token;
  const isGiven =
    source.kind === "literal" ||
    (source.kind === "environment" && environment[source.name] !== undefined);
  if (!isGiven) return access;
  const kind = written.includes(text) ? "literal" : "variable";
  return { ...access, token: { text, source: { kind } } };
}

const prefix = "spark.kubernetes.authenticate.submission.";

interface AccessReading extends ConfReading {
  readonly submissionEnvironment: SubmissionEnvironment;
}

export function readAccess(context: AccessReading, server: string): Checked<ConfAccess> {
  const { findings, take } = collectFindings();
  const { workingDirectory } = context.submissionEnvironment;
  const file = (key: string): string | undefined => {
    const entry = readEntry(context, `${prefix}${key}`);
    if (entry === undefined) return undefined;
    const path = absolutePath(entry.value, workingDirectory);
    if (context.submissionEnvironment.files.kind(path) !== "file") {
      findings.push(problems.missingFile(`${prefix}${key}`, entry.value, entry.origin));
    }
    return path;
  };
  const timeout = (name: string): number | undefined => {
    const key = `spark.kubernetes.submission.${name}`;
    return readEntry(context, key) && take(readInt(context, key, 0));
  };
  const token = take(readToken(context));
  if (token !== undefined && /^http:/i.test(server)) findings.push(tokenOverHttp(context));
  const contextName = readConfText(context, "spark.kubernetes.context");
  return {
    value: {
      server,
      context: contextName === "" ? undefined : contextName,
      token,
      caCertFile: file("caCertFile"),
      clientKeyFile: file("clientKeyFile"),
      clientCertFile: file("clientCertFile"),
      trustsAnyCertificate: take(
        readBoolean(context, "spark.kubernetes.trust.certificates", false),
      ),
      requestTimeoutMs: timeout("requestTimeout"),
      connectionTimeoutMs: timeout("connectionTimeout"),
    },
    findings,
  };
}

// Trims the text of a token file, because a trailing newline makes the header invalid. Spark sends the text untrimmed.
function readToken(context: AccessReading): Checked<AccessToken | undefined> {
  const { files, workingDirectory, environment } = context.submissionEnvironment;
  const { KUBERNETES_AUTH_TOKEN: fromEnvironment } = environment;
  const given = readEntry(context, tokenKey);
  const fileKey = `${prefix}oauthTokenFile`;
  const file = readEntry(context, fileKey);
  if (given && file) {
    return { value: undefined, findings: [problems.tokenTwice(fileKey, file.origin)] };
  }
  if (file === undefined) {
    const source = given
      ? sourceOf(context, given)
      : ({ kind: "environment", name: "KUBERNETES_AUTH_TOKEN" } as const);
    return { value: tokenOf(given?.value ?? fromEnvironment, source), findings: [] };
  }
  const path = absolutePath(file.value, workingDirectory);
  const text = files.text(path)?.text.trim();
  return {
    value: tokenOf(text, { kind: "file", path }),
    findings: text === undefined ? [problems.missingFile(fileKey, file.value, file.origin)] : [],
  };
}

const tokenKey = `${prefix}oauthToken`;

// Undefined for an empty token, which Spark ignores.
const tokenOf = (text: string | undefined, source: TokenSource): AccessToken | undefined =>
  text === undefined || text === "" ? undefined : { text, source };

function sourceOf(context: AccessReading, { value, origin }: ResolvedEntry): TokenSource {
  const raw = context.application.conf.get(tokenKey)?.value;
  if (raw !== value) return { kind: "variable" };
  return origin.kind === "file" ? { kind: "file", path: origin.path } : { kind: "literal" };
}

function tokenOverHttp(context: AccessReading): SubmissionFinding {
  const keys = [`${prefix}oauthToken`, `${prefix}oauthTokenFile`];
  const named = keys.map((key) => readEntry(context, key)).find((entry) => entry !== undefined);
  const fromEnvironment = { kind: "environment", name: "KUBERNETES_AUTH_TOKEN" } as const;
  return problems.tokenOverHttp(named ? named.origin : fromEnvironment);
}
