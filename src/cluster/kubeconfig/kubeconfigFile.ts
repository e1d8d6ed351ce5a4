import type { Cluster, Context, User } from "@kubernetes/client-node/dist/config_types.js";
import { dirname, isAbsolute, join } from "node:path";
import type { ExecEntry } from "../credentials/execPlugin.ts";
import { fieldAt, isRecord, listAt, nonEmptyTextAt } from "../../base/json.ts";

/** The cluster model of client-node, with fields that it omits. */
export interface ClusterEntry extends Cluster {
  /** The kubeconfig file that defines the cluster. */
  readonly file: string;
  /** Configuration for exec plug-ins: the extension `client.authentication.k8s.io/exec`. */
  readonly execConfig: unknown;
}

/** The user model of client-node, with fields that it omits or parses wrongly. */
export interface UserEntry extends User {
  readonly file: string;
  readonly tokenFile: string | undefined;
  readonly exec?: ExecEntry;
  readonly authProvider?: AuthProvider;
  readonly impersonation: Impersonation;
}

export interface AuthProvider {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

/** The impersonation fields of a user: `as`, `as-uid`, `as-groups`, `as-user-extra`. */
export interface Impersonation {
  readonly user: string | undefined;
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  readonly extra: readonly (readonly [string, readonly string[]])[];
}

export interface KubeconfigFile {
  readonly path: string;
  readonly clusters: readonly ClusterEntry[];
  readonly users: readonly UserEntry[];
  readonly contexts: readonly Context[];
  readonly currentContext: string | undefined;
}

/** Decodes the known fields of a kubeconfig. Resolves relative paths against the folder of the file. */
export function decodeKubeconfig(config: unknown, path: string): KubeconfigFile {
  return {
    path,
    clusters: entries(config, "clusters", "cluster", (name, body) =>
      decodeCluster(name, body, path),
    ),
    users: entries(config, "users", "user", (name, body) => decodeUser(name, body, path)),
    contexts: entries(config, "contexts", "context", decodeContext),
    currentContext: nonEmptyTextAt(config, "current-context"),
  };
}

function entries<T>(
  config: unknown,
  list: string,
  field: string,
  decode: (name: string, body: unknown) => T,
): readonly T[] {
  return listAt(config, list).flatMap((entry) => {
    const name = nonEmptyTextAt(entry, "name");
    return name === undefined ? [] : [decode(name, fieldAt(entry, field))];
  });
}

function decodeCluster(name: string, body: unknown, file: string): ClusterEntry {
  const extension = listAt(body, "extensions").find(
    (entry) => nonEmptyTextAt(entry, "name") === "client.authentication.k8s.io/exec",
  );
  return {
    file,
    name,
    server: nonEmptyTextAt(body, "server") ?? "",
    skipTLSVerify: isTrue(nonEmptyTextAt(body, "insecure-skip-tls-verify")),
    ...present("caData", nonEmptyTextAt(body, "certificate-authority-data")),
    ...present("caFile", beside(file, nonEmptyTextAt(body, "certificate-authority"))),
    ...present("tlsServerName", nonEmptyTextAt(body, "tls-server-name")),
    ...present("proxyUrl", nonEmptyTextAt(body, "proxy-url")),
    execConfig: fieldAt(extension, "extension"),
  };
}

function decodeUser(name: string, body: unknown, file: string): UserEntry {
  const exec = fieldAt(body, "exec");
  const provider = fieldAt(body, "auth-provider");
  return {
    file,
    name,
    ...present("certData", nonEmptyTextAt(body, "client-certificate-data")),
    ...present("certFile", beside(file, nonEmptyTextAt(body, "client-certificate"))),
    ...present("keyData", nonEmptyTextAt(body, "client-key-data")),
    ...present("keyFile", beside(file, nonEmptyTextAt(body, "client-key"))),
    ...present("token", nonEmptyTextAt(body, "token")),
    ...present("username", nonEmptyTextAt(body, "username")),
    ...present("password", nonEmptyTextAt(body, "password")),
    ...present("impersonateUser", nonEmptyTextAt(body, "as")),
    ...(isRecord(exec) && { exec: decodeExec(exec, file) }),
    ...(isRecord(provider) && { authProvider: decodeProvider(provider) }),
    tokenFile: beside(file, nonEmptyTextAt(body, "tokenFile")),
    impersonation: {
      user: nonEmptyTextAt(body, "as"),
      uid: nonEmptyTextAt(body, "as-uid"),
      groups: texts(fieldAt(body, "as-groups")),
      extra: Object.entries(recordAt(body, "as-user-extra")).map(([key, values]) => [
        key,
        texts(values),
      ]),
    },
  };
}

function decodeContext(name: string, body: unknown): Context {
  return {
    name,
    cluster: nonEmptyTextAt(body, "cluster") ?? "",
    user: nonEmptyTextAt(body, "user") ?? "",
    ...present("namespace", nonEmptyTextAt(body, "namespace")),
  };
}

function decodeExec(exec: unknown, file: string): ExecEntry {
  const command = nonEmptyTextAt(exec, "command") ?? "";
  return {
    apiVersion: nonEmptyTextAt(exec, "apiVersion") ?? "",
    // A command without a slash is looked up in PATH.
    command: /[/\\]/.test(command) ? (beside(file, command) ?? "") : command,
    args: texts(fieldAt(exec, "args")),
    env: Object.fromEntries(
      listAt(exec, "env").flatMap((pair) => {
        const name = nonEmptyTextAt(pair, "name");
        return name === undefined ? [] : [[name, nonEmptyTextAt(pair, "value") ?? ""]];
      }),
    ),
    installHint: nonEmptyTextAt(exec, "installHint"),
    providesClusterInfo: isTrue(nonEmptyTextAt(exec, "provideClusterInfo")),
    interactiveMode: nonEmptyTextAt(exec, "interactiveMode"),
  };
}

function decodeProvider(provider: unknown): AuthProvider {
  const config = Object.entries(recordAt(provider, "config")).flatMap(([key, value]) =>
    typeof value === "string" && value !== "" ? [[key, value] as const] : [],
  );
  return { name: nonEmptyTextAt(provider, "name") ?? "", config: Object.fromEntries(config) };
}

const recordAt = (value: unknown, key: string): Readonly<Record<string, unknown>> => {
  const record = fieldAt(value, key);
  return isRecord(record) ? record : {};
};

const texts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];

// The values that YAML 1.1, and therefore Go's parser, reads as true.
const isTrue = (text: string | undefined): boolean =>
  text !== undefined && /^(?:true|yes|on|y)$/i.test(text);

const beside = (file: string, path: string | undefined): string | undefined =>
  path === undefined || isAbsolute(path) ? path : join(dirname(file), path);

/** Returns `{}` for an undefined value, because client-node's types forbid it (exactOptionalPropertyTypes). */
function present<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  const field: Partial<Record<K, string>> = {};
  if (value !== undefined) field[key] = value;
  return field;
}
