import type { Cluster, Context, User } from "@kubernetes/client-node/dist/config_types.js";
import { dirname, isAbsolute, join } from "node:path";
import type { ExecEntry } from "../credentials/execPlugin.ts";
import { fieldOf, isRecord, listOf, textOf } from "../json.ts";

/** The library's model of a cluster, with what it leaves out. */
export interface ClusterEntry extends Cluster {
  /** Where it was defined. */
  readonly file: string;
  /** What the cluster wants credential plug-ins to know. */
  readonly execConfig: unknown;
}

/** The library's model of a user, with what it leaves out or takes in wrongly. */
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

/** `as`, `as-uid`, `as-groups`, `as-user-extra`. */
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

/** Takes out of a kubeconfig what is known of one. Paths in it are relative to its own folder. */
export function decodeKubeconfig(config: unknown, path: string): KubeconfigFile {
  return {
    path,
    clusters: entries(config, "clusters", "cluster", (name, body) =>
      decodeCluster(name, body, path),
    ),
    users: entries(config, "users", "user", (name, body) => decodeUser(name, body, path)),
    contexts: entries(config, "contexts", "context", decodeContext),
    currentContext: textOf(config, "current-context"),
  };
}

function entries<T>(
  config: unknown,
  list: string,
  field: string,
  decode: (name: string, body: unknown) => T,
): readonly T[] {
  return listOf(config, list).flatMap((entry) => {
    const name = textOf(entry, "name");
    return name === undefined ? [] : [decode(name, fieldOf(entry, field))];
  });
}

function decodeCluster(name: string, body: unknown, file: string): ClusterEntry {
  const extension = listOf(body, "extensions").find(
    (entry) => textOf(entry, "name") === "client.authentication.k8s.io/exec",
  );
  return {
    file,
    name,
    server: textOf(body, "server") ?? "",
    skipTLSVerify: isTrue(textOf(body, "insecure-skip-tls-verify")),
    ...present("caData", textOf(body, "certificate-authority-data")),
    ...present("caFile", beside(file, textOf(body, "certificate-authority"))),
    ...present("tlsServerName", textOf(body, "tls-server-name")),
    ...present("proxyUrl", textOf(body, "proxy-url")),
    execConfig: fieldOf(extension, "extension"),
  };
}

function decodeUser(name: string, body: unknown, file: string): UserEntry {
  const exec = fieldOf(body, "exec");
  const provider = fieldOf(body, "auth-provider");
  return {
    file,
    name,
    ...present("certData", textOf(body, "client-certificate-data")),
    ...present("certFile", beside(file, textOf(body, "client-certificate"))),
    ...present("keyData", textOf(body, "client-key-data")),
    ...present("keyFile", beside(file, textOf(body, "client-key"))),
    ...present("token", textOf(body, "token")),
    ...present("username", textOf(body, "username")),
    ...present("password", textOf(body, "password")),
    ...present("impersonateUser", textOf(body, "as")),
    ...(isRecord(exec) && { exec: decodeExec(exec, file) }),
    ...(isRecord(provider) && { authProvider: decodeProvider(provider) }),
    tokenFile: beside(file, textOf(body, "tokenFile")),
    impersonation: {
      user: textOf(body, "as"),
      uid: textOf(body, "as-uid"),
      groups: texts(fieldOf(body, "as-groups")),
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
    cluster: textOf(body, "cluster") ?? "",
    user: textOf(body, "user") ?? "",
    ...present("namespace", textOf(body, "namespace")),
  };
}

function decodeExec(exec: unknown, file: string): ExecEntry {
  const command = textOf(exec, "command") ?? "";
  return {
    apiVersion: textOf(exec, "apiVersion") ?? "",
    // A bare name is looked for on the PATH.
    command: /[/\\]/.test(command) ? (beside(file, command) ?? "") : command,
    args: texts(fieldOf(exec, "args")),
    env: Object.fromEntries(
      listOf(exec, "env").flatMap((pair) => {
        const name = textOf(pair, "name");
        return name === undefined ? [] : [[name, textOf(pair, "value") ?? ""]];
      }),
    ),
    installHint: textOf(exec, "installHint"),
    providesClusterInfo: isTrue(textOf(exec, "provideClusterInfo")),
    interactiveMode: textOf(exec, "interactiveMode"),
  };
}

function decodeProvider(provider: unknown): AuthProvider {
  const config = Object.entries(recordAt(provider, "config")).flatMap(([key, value]) =>
    typeof value === "string" && value !== "" ? [[key, value] as const] : [],
  );
  return { name: textOf(provider, "name") ?? "", config: Object.fromEntries(config) };
}

const recordAt = (value: unknown, key: string): Readonly<Record<string, unknown>> => {
  const record = fieldOf(value, key);
  return isRecord(record) ? record : {};
};

const texts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];

// The words that YAML 1.1, and so Go's reader, takes for true.
const isTrue = (text: string | undefined): boolean =>
  text !== undefined && /^(?:true|yes|on|y)$/i.test(text);

const beside = (file: string, path: string | undefined): string | undefined =>
  path === undefined || isAbsolute(path) ? path : join(dirname(file), path);

/** An optional field is left out rather than undefined, as the library's types want it. */
function present<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  const field: Partial<Record<K, string>> = {};
  if (value !== undefined) field[key] = value;
  return field;
}
