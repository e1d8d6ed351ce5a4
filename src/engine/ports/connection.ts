// Contexts, connections, and the questions before credentials go to a server.
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
   * local time until the server has answered once.
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
   * Contexts whose guards apply to the server: the context that the submission names, if it has
   * this server; otherwise all contexts that have it. Empty: no context has the server, so it may
   * be any cluster.
   */
  readonly serverContexts: readonly string[];
}

/**
 * Access to the server that a submission names. It sends nothing itself. Only `open` returns a connection. `open` asks
 * first if a document decides where the user's credentials go.
 */
export interface AccessOffer extends Pick<
  AccessConnection,
  "context" | "server" | "identity" | "serverContexts"
> {
  /**
   * Calls `agree` at most once, before any credential plug-in and any HTTP request. If the
   * certificate is not verified, a TLS handshake without credentials reads it first, and the
   * connection then accepts only that certificate. A refusal is a `configuration` error with the
   * problem `declined`.
   */
  open(agree: AgreeToTrust, signal: AbortSignal): Promise<Result<AccessConnection, ClusterError>>;
}

/** Prompts the user, or returns a remembered decision. */
export type AgreeToTrust = (question: TrustQuestion, signal: AbortSignal) => Promise<boolean>;

/** A server that a document chose to send the user's credentials to. Contains no secret. */
export interface TrustQuestion {
  readonly server: string;
  /** At least one. */
  readonly credentials: readonly UserCredential[];
  /** At least one. */
  readonly changes: readonly TrustChange[];
  /**
   * SHA-256 of the unverified server certificate, or of the certificate authorities. Undefined for the system's
   * authorities and for plain HTTP.
   */
  readonly fingerprint: string | undefined;
}

/** A server named by a document, whose address is not on the public internet. */
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
  /** A value that a variable put into the document, such as `${env:TOKEN}`. */
  | { readonly kind: "variable" }
  /** Not a credential, but equally private: a file outside the workspace that a document uploads. */
  | { readonly kind: "upload"; readonly path: string };

/** The part of the connection that a document decides without the user's own settings. */
export type TrustChange =
  /** `ownServer`: the server of the context that provides the credentials. */
  | { readonly kind: "otherServer"; readonly ownServer: string | undefined }
  /** `user` is the SHA-256 of the credential sources and the impersonation of the kubeconfig's user. */
  | { readonly kind: "kubeconfig"; readonly path: string; readonly user: string }
  | { readonly kind: "noVerification" }
  | { readonly kind: "otherAuthority" }
  | { readonly kind: "otherServerName"; readonly name: string }
  | { readonly kind: "notEncrypted" }
  /** An undefined `proxy` bypasses the user's proxy. */
  | { readonly kind: "proxy"; readonly proxy: string | undefined };

/** The identity that requests are sent with. */
export type AccessIdentity =
  /** The identity that the kubeconfig defines for this server. */
  | { readonly kind: "context" }
  /** The identity that the conf or the environment defines. */
  | { readonly kind: "conf" }
  /** Anonymous. */
  | { readonly kind: "none" }
  /** Credentials of a context with a different server. */
  | { readonly kind: "foreign"; readonly context: string; readonly ownServer: string };

/** The defaults that a submission starts from. */
export interface AccessPlace {
  /** The active context. Undefined means the kubeconfig's current context. */
  readonly context: string | undefined;
  /**
   * Kubeconfig files that override the settings, as in KUBECONFIG. A kubeconfig can run programs,
   * so these are only files that the user agreed to.
   */
  readonly kubeconfig: string | undefined;
  /**
   * True if a file lies in the workspace after resolving links. Such credentials belong to the
   * document, all others to the user.
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
  /** The files that were read, to watch and to show. */
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
  /** Listens until disposed, even if cluster connections close. */
  forward(request: ForwardRequest): Promise<PortForward>;
  /** Serves until disposed, as `forward`. */
  serveUi(request: UiRequest): Promise<UiProxy>;
  /** Returns the paths of kubeconfig files, existing or not, for file watchers. */
  kubeconfigPaths(settings: ClusterSettings): readonly string[];
  readKubeconfig(
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<KubeconfigSummary, ClusterError>>;
  /** Returns the target id that `connect` would have now, or its error; undefined if the context was removed. */
  targetId(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<string | undefined, ClusterError>>;
  /** Returns the target that `connect` would have, without a connection. */
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
   * Offers access to the server of `access`, with the credentials of the context of that server, overridden by those in
   * `access`. Works without a kubeconfig. Sends nothing yet.
   */
  connectTo(
    access: ConfAccess,
    place: AccessPlace,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<AccessOffer, ClusterError>>;
}
