// Contexts, connections, and the confirmation before credentials are sent to a server.
import type { Disposable } from "../../base/disposable.ts";
import type { Result } from "../../base/result.ts";
import type { ConfAccess } from "../../spark/submit/conf/access.ts";
import type { ClusterError } from "../clusterError.ts";
import type { AccessReviews } from "./accessReviews.ts";
import type {
  ForwardRequest,
  PassedPodPages,
  PodExec,
  PodPages,
  PodPorts,
  PortForward,
} from "./channels.ts";
import type { Discovery } from "./discovery.ts";
import type { UiProxy, UiRequest } from "./driverUi.ts";
import type { LogSource } from "./logs.ts";
import type { Evictions, ObjectApi } from "./objects.ts";
import type { PodSource } from "./pods.ts";
import type { DriverApi, NodeSizes, PodEventSource, PodMetrics } from "./reports.ts";
import type { ResourceSource } from "./resources.ts";

/** A context of the kubeconfig and its server. */
export interface ClusterTarget {
  readonly context: string;
  readonly server: string;
  /** Opaque id of the server and the identity, for comparisons. */
  readonly targetId: string;
  /** The context's own namespace, or `default`. */
  readonly namespace: string;
}

/** A connection to one context of the kubeconfig. `dispose` closes everything that it opened. */
export interface Connection extends ClusterTarget, Disposable {
  /**
   * Returns the cluster's time in epoch ms, to compare with timestamps of objects; the local clock may differ. Returns
   * local time until the first response of the server.
   */
  now(): number;
  readonly pods: PodSource;
  readonly logs: LogSource;
  readonly objects: ObjectApi;
  readonly evictions: Evictions;
  readonly exec: PodExec;
  readonly pages: PodPages;
  readonly passedPages: PassedPodPages;
  readonly ports: PodPorts;
  readonly rights: AccessReviews;
  readonly podEvents: PodEventSource;
  readonly discovery: Discovery;
  readonly drivers: DriverApi;
  readonly nodes: NodeSizes;
  readonly metrics: PodMetrics;
  readonly resources: ResourceSource;
}

/** A connection to the server that a submission names. */
export interface AccessConnection extends Connection {
  /** The context of that server; if there is none, the server's address. */
  readonly context: string;
  /** The context's own namespace; undefined if it has none, or there is no context. */
  readonly contextNamespace: string | undefined;
  readonly identity: AccessIdentity;
  /**
   * Contexts whose guards apply to the server. If the context that the submission names uses this server, only that
   * context; otherwise all contexts that use it. If empty, no context uses the server, so it may be any cluster.
   */
  readonly serverContexts: readonly string[];
}

/**
 * Access to the server that a submission names. No request is sent before `open`, which returns the connection. `open`
 * first requests a confirmation if a document decides where the user's credentials are sent.
 */
export interface AccessOffer extends Pick<
  AccessConnection,
  "context" | "server" | "identity" | "serverContexts"
> {
  /**
   * Calls `agree` at most once, before it runs a credential plug-in or sends an HTTP request. If certificates are not
   * verified, it first reads the server's certificate in a TLS handshake without credentials. The connection then
   * accepts only that certificate. If the user refuses, returns a `configuration` error with the problem `declined`.
   */
  open(agree: AgreeToTrust, signal: AbortSignal): Promise<Result<AccessConnection, ClusterError>>;
}

/** Prompts the user for a confirmation, or returns a remembered decision. True means that the user agrees. */
export type AgreeToTrust = (question: TrustQuestion, signal: AbortSignal) => Promise<boolean>;

/** A server to which a document would send the user's credentials. Contains no secret. */
export interface TrustQuestion {
  readonly server: string;
  /** At least one. */
  readonly credentials: readonly UserCredential[];
  /** At least one. */
  readonly changes: readonly TrustChange[];
  /**
   * SHA-256 of the unverified server certificate, or of the certificate authorities. Undefined if the system's
   * authorities apply, and for plain HTTP.
   */
  readonly fingerprint: string | undefined;
}

/** A server that a document names, and whose address is not on the public internet. */
export interface SpecialPlace {
  readonly origin: string;
  readonly address: string;
}

/** A credential from outside the document that names the server. */
export type UserCredential =
  | { readonly kind: "context"; readonly context: string }
  | { readonly kind: "environment"; readonly name: string }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "awsProfile"; readonly name: string }
  /** A value that a variable such as `${env:TOKEN}` inserted into the document. */
  | { readonly kind: "variable" }
  /** A file outside the workspace that a document uploads. Not a credential, but equally private. */
  | { readonly kind: "upload"; readonly path: string };

/** A property of the connection that a document sets differently from the user's own settings. */
export type TrustChange =
  /** `ownServer` is the server of the context that provides the credentials. */
  | { readonly kind: "otherServer"; readonly ownServer: string | undefined }
  /** `user` is the SHA-256 of the credential sources and the impersonation of the kubeconfig's user. */
  | { readonly kind: "kubeconfig"; readonly path: string; readonly user: string }
  | { readonly kind: "noVerification" }
  | { readonly kind: "otherAuthority" }
  | { readonly kind: "otherServerName"; readonly name: string }
  | { readonly kind: "notEncrypted" }
  /** If `proxy` is undefined, the connection bypasses the user's proxy. */
  | { readonly kind: "proxy"; readonly proxy: string | undefined };

/** The identity that requests are sent with. */
export type AccessIdentity =
  /** The identity that the kubeconfig defines for this server. */
  | { readonly kind: "context" }
  /** The identity that the conf or the environment defines. */
  | { readonly kind: "conf" }
  /** No credentials; the requests are anonymous. */
  | { readonly kind: "none" }
  /** Credentials of a context with a different server. */
  | { readonly kind: "foreign"; readonly context: string; readonly ownServer: string };

/** The context and kubeconfig that apply unless a submission overrides them. */
export interface AccessPlace {
  /** The active context. Undefined means the kubeconfig's current context. */
  readonly context: string | undefined;
  /**
   * Kubeconfig files that override the settings, in the format of KUBECONFIG. A kubeconfig can run programs, so only
   * files that the user has confirmed are listed.
   */
  readonly kubeconfig: string | undefined;
  /**
   * Returns true if the file is in the workspace after symbolic links are resolved. Credentials in such a file belong
   * to the document, all others to the user.
   */
  readonly isOfWorkspace: (path: string) => Promise<boolean>;
}

interface KubeContext {
  readonly name: string;
  readonly cluster: string;
  readonly server: string;
  readonly user: string;
  readonly namespace: string | undefined;
}

/** The merged kubeconfig files, by kubectl's rules. Contains no secrets. */
export interface KubeconfigSummary {
  readonly contexts: readonly KubeContext[];
  readonly currentContext: string | undefined;
  /** Paths of the files that were read. */
  readonly files: readonly string[];
}

/** The user's settings for clusters. A workspace cannot change them. */
export interface ClusterSettings {
  /** Paths of kubeconfig files. If empty, KUBECONFIG applies, then ~/.kube/config. */
  readonly kubeconfigFiles: readonly string[];
  /** False if credential plug-ins may not run, as in an untrusted workspace. */
  readonly mayRunPlugins: boolean;
}

export interface Clusters extends Disposable {
  /** Listens on a local port until disposed, even if connections to the cluster close. */
  forward(request: ForwardRequest): Promise<PortForward>;
  /** Serves a driver's Spark UI on a local port until disposed, even if connections to the cluster close. */
  serveUi(request: UiRequest): Promise<UiProxy>;
  /** Returns the paths of kubeconfig files, existing or not, for file watchers. */
  kubeconfigPaths(settings: ClusterSettings): readonly string[];
  readKubeconfig(
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<KubeconfigSummary, ClusterError>>;
  /**
   * Returns the current target id of a context, or the error that `connect` would return; undefined if the context was
   * removed.
   */
  targetId(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<string | undefined, ClusterError>>;
  /** Returns the target that `connect` would use. Does not connect. */
  target(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<ClusterTarget, ClusterError>>;
  /** Connects to a context. Undefined means the current context. Sends nothing yet. */
  connect(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<Connection, ClusterError>>;
  /**
   * Prepares access to the server that `access` names. The credentials come from the context that uses this server,
   * overridden by those in `access`. Works without a kubeconfig. Sends nothing yet.
   */
  connectTo(
    access: ConfAccess,
    place: AccessPlace,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<AccessOffer, ClusterError>>;
}
