// The interfaces that the engine needs from outside. `cluster/` and `storage/` implement them;
// tests fake only these.
import type { Disposable } from "../base/disposable.ts";
import type { Result } from "../base/result.ts";
import type { AllocationConf, ReportedExecutors } from "../spark/diagnosis/driverReport.ts";
import type { PodNotice } from "../spark/diagnosis/podNotice.ts";
import type { LogLine } from "../spark/logs/logLine.ts";
import type { OperatorResource } from "../spark/pods/operatorResource.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { ConfAccess } from "../spark/submit/conf/access.ts";
import type { CodeRequest, SentCode, SentFile } from "../spark/submit/code/sentCode.ts";
import type { Upload } from "../spark/submit/driver/driverSpec.ts";
import type { JsonObject } from "../base/json.ts";
import type { Manifest } from "../spark/submit/plan/manifest.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Running } from "./running.ts";

/** Time as an argument, so that tests of back-off and ages need not wait. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms`; rejects with an AbortError when `signal` aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Uniform in [0, 1). */
export type Random = () => number;

// ---- Pods ------------------------------------------------------------------------------------

export interface PodSelection {
  /** Undefined: all namespaces. */
  readonly namespace: string | undefined;
  readonly labelSelector: string;
}

export interface PodListRequest extends PodSelection {
  /** Undefined: the newest state. "0": the state in the server's watch cache. */
  readonly resourceVersion: string | undefined;
  /** Pods per page. */
  readonly limit: number;
  readonly continueToken: string | undefined;
}

export interface PodPage {
  readonly pods: readonly PodRecord[];
  /** The version of the whole list, equal on all its pages. */
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
}

export interface PodWatchRequest extends PodSelection {
  /** The version to resume from; undefined with `sendInitialEvents`. */
  readonly resourceVersion: string | undefined;
  /** Requests a streamed list (KEP-3157): added events, then a bookmark with `initialEventsEnd`. */
  readonly sendInitialEvents: boolean;
  /** The server ends the watch after this many seconds. */
  readonly timeoutSeconds: number;
}

/** Tells the version up to which a watch is complete. `initialEventsEnd`: it ends a streamed list. */
export interface WatchBookmark {
  readonly kind: "bookmark";
  readonly resourceVersion: string;
  readonly initialEventsEnd: boolean;
}

/**
 * Items of a watch. Events that arrived together are one batch; the first batch is empty and signals that the server
 * accepted the request. A failure is the last item. If the stream ends without a failure, the server closed it
 * normally.
 */
export type WatchItem<Event> =
  | { readonly kind: "events"; readonly events: readonly (Event | WatchBookmark)[] }
  | { readonly kind: "failed"; readonly error: ClusterError };

export type PodWatchEvent =
  { readonly kind: "added" | "modified" | "deleted"; readonly pod: PodRecord } | WatchBookmark;

export type PodWatchItem = WatchItem<Exclude<PodWatchEvent, WatchBookmark>>;

export interface PodSource {
  listPods(request: PodListRequest, signal: AbortSignal): Promise<Result<PodPage, ClusterError>>;
  /**
   * When `signal` aborts, it closes the socket and throws an AbortError. A watch without data for
   * longer than the bookmark interval fails as `unreachable`.
   */
  watchPods(request: PodWatchRequest, signal: AbortSignal): AsyncIterable<PodWatchItem>;
}

// ---- Logs ------------------------------------------------------------------------------------

export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  /**
   * The pod's uid: if another pod has the name, the result is `notFound`. Undefined: any pod of
   * that name.
   */
  readonly uid?: string | undefined;
  /** Undefined: the pod's only container. */
  readonly container: string | undefined;
  readonly follow: boolean;
  /** The container's run before its last restart. */
  readonly previous: boolean;
  /** Maximum number of existing lines; undefined: all; 0: only new lines. */
  readonly tailLines: number | undefined;
  /** RFC 3339. The server rounds down to the second, so the lines of that second come again. */
  readonly sinceTime: string | undefined;
}

/**
 * Lines in batches; the first batch is empty and signals that the server accepted the request. A
 * failure is the last item. An end without failure means that the container or its server ended; a
 * last line without a line feed is marked unfinished. `take` returns the lines once and must be
 * called before the next item is requested. A waiting loop keeps the previous item alive, and so
 * must not keep its lines.
 */
export type LogItem =
  | { readonly kind: "lines"; readonly take: () => readonly LogLine[] }
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface LogSource {
  readLog(request: LogRequest, signal: AbortSignal): AsyncIterable<LogItem>;
}

// ---- Objects ---------------------------------------------------------------------------------

export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** An object as the server returned it. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The complete object, for previews and for replacing. */
  readonly body: unknown;
}

export interface WriteOptions {
  /** The server validates and admits the object, and stores nothing. */
  readonly dryRun: boolean;
  /** Spark up to 3.5 names the character set in the content type. */
  readonly charset: boolean;
  /** The server rejects unknown and duplicate fields; otherwise it drops them. */
  readonly fieldValidation?: "Strict";
}

export interface CreateOptions extends WriteOptions {
  /** The resource to post to, if it differs from the manifest's kind. */
  readonly sentTo?: { readonly apiVersion: string; readonly kind: string };
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force: boolean;
}

export interface DeleteOptions {
  /** Deletes only the object with this uid; another object of the name gives 409. */
  readonly uid: string | undefined;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds: number | undefined;
}

/**
 * Requests the list in one piece, as Spark does. Undefined selector: no `labelSelector` parameter.
 */
export interface WholeList {
  readonly kind: "whole";
  readonly labelSelector: string | undefined;
}

/** Single requests. Only reads are retried after the server may have carried them out. */
export interface ObjectApi {
  create(
    namespace: string,
    manifest: Manifest,
    options: CreateOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  apply(
    namespace: string,
    manifest: Manifest,
    options: ApplyOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  /** PUT; the manifest contains the resource version that it replaces. */
  replace(
    namespace: string,
    manifest: Manifest,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  /** JSON merge patch: members replace those of the same name, and null removes one. */
  patch(
    reference: ObjectReference,
    patch: JsonObject,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  read(
    reference: ObjectReference,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  delete(
    reference: ObjectReference,
    options: DeleteOptions,
    signal: AbortSignal,
  ): Promise<Result<void, ClusterError>>;
  /**
   * All objects of a kind with the labels, without managed fields. Empty selector: all objects.
   * Undefined namespace: all namespaces.
   */
  list(
    kind: { readonly apiVersion: string; readonly kind: string },
    namespace: string | undefined,
    labelSelector: string | WholeList,
    signal: AbortSignal,
  ): Promise<Result<readonly StoredObject[], ClusterError>>;
}

export interface Evictions {
  /** As a deletion, but returns `protected` if a PodDisruptionBudget forbids it. */
  evict(
    pod: Omit<ObjectReference, "apiVersion" | "kind">,
    options: Pick<DeleteOptions, "uid" | "gracePeriodSeconds">,
    signal: AbortSignal,
  ): Promise<Result<void, ClusterError>>;
}

// ---- Programs in pods --------------------------------------------------------------------------

export interface ExecRequest {
  readonly namespace: string;
  readonly pod: string;
  /** Undefined: the pod's default container. */
  readonly container: string | undefined;
  readonly command: readonly string[];
  /** Size of the program's terminal; undefined: no terminal, and standard input only with `hasInput`. */
  readonly terminal: TerminalSize | undefined;
  /** The program reads the bytes of `ExecSession.write` from its standard input. */
  readonly hasInput?: boolean;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** Output of a program. `ended` or `failed` is the last item. A terminal merges both streams into `stdout`. */
export type ExecItem =
  | { readonly kind: "output"; readonly from: "stdout" | "stderr"; readonly text: string }
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "failed"; readonly error: ClusterError };

/** A running program in a container. `dispose` closes its terminal or its standard input, which ends most programs. */
export interface ExecSession extends Disposable {
  /** For a single reader. */
  readonly items: AsyncIterable<ExecItem>;
  /** False before Kubernetes 1.30: the program must find the end of its input itself, and `closeInput` does nothing. */
  readonly canCloseInput: boolean;
  /** Returns a promise if the caller should wait before it writes more. It also resolves when the session ends. */
  write(bytes: Uint8Array): Promise<void> | undefined;
  /** The program reads what was written, and then the end of its standard input. */
  closeInput(): void;
  type(text: string): void;
  resize(size: TerminalSize): void;
}

export interface PodExec {
  start(request: ExecRequest, signal: AbortSignal): Promise<Result<ExecSession, ClusterError>>;
}

// ---- Ports of pods -----------------------------------------------------------------------------

/** A connection to a port of a pod. `dispose` aborts it. */
export interface PodStream extends Disposable {
  /** For a single reader. Ends when the pod closes the connection; a failure is the last item. */
  readonly items: AsyncIterable<PodStreamItem>;
  /** Returns a promise if the caller should wait before it writes more. */
  write(bytes: Uint8Array): Promise<void> | undefined;
}

export type PodStreamItem =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Needs the right to `create pods/portforward`. Port forwarding over WebSocket has no half-close:
 * the pod does not learn that our side ended, but its data still arrives.
 */
export interface PodPorts {
  open(pod: PodPort, signal: AbortSignal): Promise<Result<PodStream, ClusterError>>;
}

export interface ForwardRequest {
  /** Preferred port; if undefined or in use, any free port. */
  readonly localPort: number | undefined;
  /** Opens a new connection to the pod for each local connection. */
  readonly dial: (signal: AbortSignal) => Promise<Result<PodStream, ClusterError>>;
  /** A connection was opened or closed. */
  readonly changed: () => void;
  /** A connection was refused or broke. */
  readonly failed: (error: ClusterError) => void;
}

/** A port on the loopback interface; its connections end in a pod. */
export interface PortForward extends Disposable {
  readonly localPort: number;
  readonly connections: number;
}

// ---- Pages of pods -----------------------------------------------------------------------------

export interface PodPort {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** HTTP pages of a pod through the API server. Needs the right to `get pods/proxy`. */
export interface PodPages {
  /**
   * `path`: from the root, as `/api/v1/applications`. JSON only, at most 4 MB. An abort of `signal`
   * ends the wait, not the request.
   */
  read(pod: PodPort, path: string, signal: AbortSignal): Promise<Result<unknown, ClusterError>>;
}

// ---- Rights ----------------------------------------------------------------------------------

/** The request that an access review asks about. */
export interface AccessAttributes {
  readonly verb: string;
  /** Empty for the core API. */
  readonly group: string;
  /** Plural, with its subresource: `pods`, `pods/proxy`. */
  readonly resource: string;
  /** Undefined: all namespaces, or a cluster-scoped object. */
  readonly namespace: string | undefined;
  /**
   * The identity to check; undefined: the connection's own. Checking others needs a right of its
   * own.
   */
  readonly subject: AccessSubject | undefined;
}

export interface AccessSubject {
  readonly user: string;
  readonly groups: readonly string[];
}

export interface AccessReviews {
  can(attributes: AccessAttributes, signal: AbortSignal): Promise<Result<boolean, ClusterError>>;
}

// ---- What is noted of pods, and what drivers say -----------------------------------------------

export interface PodName {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface NoticeSource {
  /** Events of the pod with this uid, newest first. The cluster keeps events for about an hour. */
  noticesOf(pod: PodName, signal: AbortSignal): Promise<Result<readonly PodNotice[], ClusterError>>;
}

/**
 * The driver's REST API, through the API server's pod proxy. Needs the right to `get pods/proxy`.
 */
export interface DriverAddress {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  readonly applicationId: string;
}

/**
 * An abort of `signal` ends the wait, not the request: a driver logs an error for each aborted
 * request.
 */
export interface DriverApi {
  executors(
    driver: DriverAddress,
    signal: AbortSignal,
  ): Promise<Result<ReportedExecutors, ClusterError>>;
  /** `known`: the previous answer, of which only the target may have changed. */
  allocation(
    driver: DriverAddress,
    known: AllocationConf | undefined,
    signal: AbortSignal,
  ): Promise<Result<AllocationConf, ClusterError>>;
}

// ---- Custom resources of Spark's operators -----------------------------------------------------

export interface ResourceKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface ResourceList {
  readonly resources: readonly OperatorResource[];
  readonly resourceVersion: string;
}

export interface ResourceEvent {
  readonly kind: "changed" | "deleted";
  readonly resource: OperatorResource;
}

/** A failure is the last item. `resourceVersion` is the version to resume from. */
export type ResourceWatchItem =
  | {
      readonly kind: "events";
      readonly events: readonly ResourceEvent[];
      readonly resourceVersion: string | undefined;
    }
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface ResourceSource {
  /** `notFound` if the cluster does not serve the kind. */
  listResources(
    kind: ResourceKind,
    namespace: string | undefined,
    signal: AbortSignal,
  ): Promise<Result<ResourceList, ClusterError>>;
  watchResources(
    kind: ResourceKind,
    namespace: string | undefined,
    resourceVersion: string,
    signal: AbortSignal,
  ): AsyncIterable<ResourceWatchItem>;
}

// ---- Kept logs -------------------------------------------------------------------------------

/** A log on the local disk: one container, all its runs. */
export interface KeptLogName {
  readonly context: string;
  readonly namespace: string;
  /** Spark's application id, and the application's name. */
  readonly applicationId: string;
  readonly application: string;
  /** `driver`, `executor 3`. */
  readonly source: string;
  readonly pod: string;
  readonly uid: string;
  readonly container: string;
}

export interface KeptLog extends KeptLogName {
  readonly lines: number;
  /** Size on disk. */
  readonly bytes: number;
  /** Timestamps of the first and the last stored line. */
  readonly first: string;
  readonly last: string;
  /** Older lines were dropped to save space. */
  readonly isCutOff: boolean;
}

/**
 * The exclusive writer of an application's logs, across windows. After `done`, another window may
 * open one.
 */
export interface KeptLogWriter extends Running {
  /**
   * Settles when the lines are durable on disk, and rejects if the disk refuses them. `lost`:
   * another window took over because this one seemed dead; nothing was written.
   */
  append(log: KeptLogName, lines: readonly LogLine[]): Promise<"kept" | "lost">;
  /** The log is complete as far as known: compresses all of it. */
  end(log: KeptLogName): Promise<void>;
  /** The newest stored lines, to resume from; none if another window took over. */
  newest(log: KeptLogName): Promise<readonly LogLine[]>;
}

/** The kept logs, bounded in size and age. Only this user may read the files. */
export interface KeptLogs {
  /** Undefined while another window writes this application's logs. */
  openWriter(context: string, applicationId: string): Promise<KeptLogWriter | undefined>;
  /** Drops old logs, then the oldest ones over the size limit. `list` and writers do the same. */
  prune(): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly KeptLog[]>;
  /** Batches of lines, oldest first; undefined in place of an unreadable block. */
  read(log: KeptLogName, signal: AbortSignal): AsyncIterable<readonly LogLine[] | undefined>;
  /** Deletes all logs of an application; false if a window is writing them. */
  forget(context: string, applicationId: string): Promise<boolean>;
}

// ---- Uploads ---------------------------------------------------------------------------------

export interface UploadError {
  readonly upload: Upload;
  /** The message of the system. */
  readonly detail: string;
}

/** Copies local files to a place from which the driver can fetch them. */
export interface UploadTarget {
  copy(upload: Upload, signal: AbortSignal): Promise<Result<void, UploadError>>;
}

// ---- Connection ------------------------------------------------------------------------------

/** A connection to one context of the kubeconfig. `dispose` closes everything that it opened. */
export interface Connection extends Disposable {
  readonly context: string;
  readonly server: string;
  /** Opaque id of the server and the identity, for comparisons. */
  readonly targetId: string;
  /** The context's own namespace, or `default`. */
  readonly namespace: string;
  /**
   * The cluster's time in epoch ms, to compare with timestamps of objects; the local clock may
   * differ. Returns local time until the server has answered once.
   */
  now(): number;
  readonly pods: PodSource;
  readonly logs: LogSource;
  readonly objects: ObjectApi;
  readonly evictions: Evictions;
  readonly exec: PodExec;
  readonly pages: PodPages;
  readonly ports: PodPorts;
  readonly rights: AccessReviews;
  readonly notices: NoticeSource;
  readonly drivers: DriverApi;
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
 * Access to the server that a submission names. It sends nothing itself: only `open` returns a
 * connection, and it asks first if a document decides where the user's credentials go.
 */
export interface AccessOffer {
  readonly context: string;
  readonly server: string;
  /**
   * Calls `agree` at most once, before any credential plug-in and any HTTP request. If the
   * certificate is not verified, a TLS handshake without credentials reads it first, and the
   * connection then accepts only that certificate. A refusal is a `configuration` error with the
   * problem `declined`.
   */
  open(agree: AgreeToTrust, signal: AbortSignal): Promise<Result<AccessConnection, ClusterError>>;
}

/** Asks the user, or returns a remembered answer. */
export type AgreeToTrust = (question: TrustQuestion, signal: AbortSignal) => Promise<boolean>;

/** A server that a document chose to send the user's credentials to. Contains no secret. */
export interface TrustQuestion {
  readonly server: string;
  /** At least one. */
  readonly credentials: readonly UserCredential[];
  /** At least one. */
  readonly changes: readonly TrustChange[];
  /**
   * SHA-256 of the unverified server certificate, or of the certificate authorities. Undefined: the
   * system's authorities, or plain HTTP.
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
  /** Not a credential but as private: a file outside the workspace that a document uploads. */
  | { readonly kind: "upload"; readonly path: string };

/** The part of the connection that a document decides without the user's own settings. */
export type TrustChange =
  /** `ownServer`: the server of the context that provides the credentials. */
  | { readonly kind: "otherServer"; readonly ownServer: string | undefined }
  /** `user`: SHA-256 of the files, program or provider of its credentials. */
  | { readonly kind: "kubeconfig"; readonly path: string; readonly user: string }
  | { readonly kind: "noVerification" }
  | { readonly kind: "otherAuthority" }
  | { readonly kind: "otherServerName"; readonly name: string }
  | { readonly kind: "notEncrypted" }
  /** Undefined: bypasses the user's proxy. */
  | { readonly kind: "proxy"; readonly proxy: string | undefined };

/** The identity that requests are sent with. */
export type AccessIdentity =
  /** As the kubeconfig defines for this server. */
  | { readonly kind: "context" }
  /** As the conf or the environment defines. */
  | { readonly kind: "conf" }
  /** Anonymous. */
  | { readonly kind: "none" }
  /** Credentials of a context with a different server. */
  | { readonly kind: "foreign"; readonly context: string; readonly ownServer: string };

/** The defaults that a submission starts from. */
export interface AccessPlace {
  /** The active context; undefined: the kubeconfig's current context. */
  readonly context: string | undefined;
  /**
   * Kubeconfig files that override the settings, as in KUBECONFIG. A kubeconfig can run programs,
   * so these are only files that the user agreed to.
   */
  readonly kubeconfig: string | undefined;
  /**
   * Whether a file lies in the workspace after resolving links. Such credentials belong to the
   * document, all others to the user.
   */
  readonly isOfWorkspace: (path: string) => Promise<boolean>;
}

export interface KubeContext {
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
  /** Paths of kubeconfig files; empty: KUBECONFIG, then ~/.kube/config. */
  readonly kubeconfigFiles: readonly string[];
  /** False if credential plug-ins may not run, as in an untrusted workspace. */
  readonly mayRunPlugins: boolean;
}

export interface Clusters extends Disposable {
  /** Listens until disposed, even if cluster connections close. */
  forward(request: ForwardRequest): Promise<PortForward>;
  /** Paths of kubeconfig files, existing or not, for file watchers. */
  kubeconfigPaths(settings: ClusterSettings): readonly string[];
  readKubeconfig(
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<KubeconfigSummary, ClusterError>>;
  /**
   * The target id that `connect` would return now, or its error; undefined if the context was
   * removed.
   */
  targetId(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<string | undefined, ClusterError>>;
  /** `context` undefined: the current context. Sends nothing yet. */
  connect(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<Connection, ClusterError>>;
  /**
   * Access to the server of `access`, with the credentials of the context of that server,
   * overridden by those in `access`. Works without a kubeconfig. Sends nothing yet.
   */
  connectTo(
    access: ConfAccess,
    place: AccessPlace,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<AccessOffer, ClusterError>>;
}

// ---- Code of the workspace ---------------------------------------------------------------------

/** The rules by which files of a workspace are sent with an application. Patterns are globs relative to `root`. */
export interface CodeRules {
  /** The workspace folder: modules are looked for in it, and nothing outside is included. Absolute. */
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** A file that cannot be sent. `detail` completes "Cannot send FILE: …". */
export interface CodeError {
  readonly path: string;
  readonly detail: string;
}

export interface CodeCollector {
  /**
   * Finds and reads the files of a request: the requested ones, the Python modules that the main resource imports from
   * the workspace, and what the rules include. The same files give the same bytes. Yields to the event loop.
   */
  readonly collect: (
    request: CodeRequest,
    rules: CodeRules,
    signal: AbortSignal,
  ) => Promise<Result<SentCode, CodeError>>;
  /** The files as a tar archive, for a stream. Throws a CodeChanged error if a file differs from its collection. */
  readonly archive: (files: readonly SentFile[], signal: AbortSignal) => AsyncIterable<Uint8Array>;
}
