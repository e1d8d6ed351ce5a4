import { collectFindings } from "./collectFindings.ts";
import { absolutePath } from "./localPath.ts";
import { problems } from "./problems.ts";
import { readBoolean, readEntry, readInt, readText, type ConfReading } from "./readConf.ts";
import type { Checked, SubmissionFinding } from "./submissionFinding.ts";
import type { Surroundings } from "./surroundings.ts";

/** How the conf wants the API server to be reached, over what the kubeconfig says. */
export interface Access {
  /** The server of the master: always this one, whatever the context names. */
  readonly server: string;
  /** Undefined: the current context. */
  readonly context: string | undefined;
  /** A secret: never to be shown. */
  readonly token: string | undefined;
  readonly caCertFile: string | undefined;
  readonly clientKeyFile: string | undefined;
  readonly clientCertFile: string | undefined;
  readonly trustsAnyCertificate: boolean;
  /** Undefined: the conf does not say. */
  readonly requestTimeoutMs: number | undefined;
  readonly connectionTimeoutMs: number | undefined;
}

const prefix = "spark.kubernetes.authenticate.submission.";

interface AccessReading extends ConfReading {
  readonly surroundings: Surroundings;
}

export function readAccess(context: AccessReading, server: string): Checked<Access> {
  const { findings, take } = collectFindings();
  const { workingDirectory } = context.surroundings;
  const file = (key: string): string | undefined => {
    const entry = readEntry(context, `${prefix}${key}`);
    if (entry === undefined) return undefined;
    const path = absolutePath(entry.value, workingDirectory);
    if (context.surroundings.files.kind(path) !== "file") {
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
  const contextName = readText(context, "spark.kubernetes.context");
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

// Spark sends a file's text untrimmed, which a final newline makes unsendable.
function readToken(context: AccessReading): Checked<string | undefined> {
  const { files, workingDirectory, environment } = context.surroundings;
  const { KUBERNETES_AUTH_TOKEN: fromEnvironment } = environment;
  const given = readEntry(context, `${prefix}oauthToken`);
  const fileKey = `${prefix}oauthTokenFile`;
  const file = readEntry(context, fileKey);
  if (given && file) {
    return { value: undefined, findings: [problems.tokenTwice(fileKey, file.origin)] };
  }
  if (file === undefined) {
    return { value: (given?.value ?? fromEnvironment) || undefined, findings: [] };
  }
  const text = files.text(absolutePath(file.value, workingDirectory))?.text.trim();
  return {
    // An empty token counts as none.
    value: text || undefined,
    findings: text === undefined ? [problems.missingFile(fileKey, file.value, file.origin)] : [],
  };
}

function tokenOverHttp(context: AccessReading): SubmissionFinding {
  const keys = [`${prefix}oauthToken`, `${prefix}oauthTokenFile`];
  const named = keys.map((key) => readEntry(context, key)).find((entry) => entry !== undefined);
  const fromEnvironment = { kind: "environment", name: "KUBERNETES_AUTH_TOKEN" } as const;
  return problems.tokenOverHttp(named ? named.origin : fromEnvironment);
}
