// What the engine needs from the world. Implemented in `cluster/`; fakes of these are the only fakes in tests.
import type { Disposable } from "../base/disposable.ts";
import type { Result } from "../base/result.ts";
import type { AllocationConf, ReportedExecutors } from "../spark/diagnosis/driverReport.ts";
import type { PodNotice } from "../spark/diagnosis/podNotice.ts";
import type { LogLine } from "../spark/logs/logLine.ts";
import type { OperatorResource } from "../spark/pods/operatorResource.ts";
import type { PodRecord } from "../spark/pods/podRecord.ts";
import type { Access } from "../spark/submit/access.ts";
import type { Upload } from "../spark/submit/driverSpec.ts";
import type { JsonObject, Manifest } from "../spark/submit/manifest.ts";
import type { ClusterError } from "./clusterError.ts";
import type { Running } from "./running.ts";

/** Time and chance, so that back-off and ages can be tested without waiting. */
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
  /** `undefined`: the newest state; "0": whatever the server has at hand. */
  readonly resourceVersion: string | undefined;
  /** Pods a page. */
  readonly limit: number;
  readonly continueToken: string | undefined;
}

export interface PodPage {
  readonly pods: readonly PodRecord[];
  /** Of the whole list; the same on each page of it. */
  readonly resourceVersion: string;
  readonly continueToken: string | undefined;
}

export interface PodWatchRequest extends PodSelection {
  /** Where to go on from; undefined with `sendInitialEvents`. */
  readonly resourceVersion: string | undefined;
  /** Ask for the list as a stream (KEP-3157): added events, then a bookmark with `initialEventsEnd`. */
  readonly sendInitialEvents: boolean;
  /** After how many seconds the server ends the watch. */
  readonly timeoutSeconds: number;
}

export type PodWatchEvent =
  | { readonly kind: "added" | "modified" | "deleted"; readonly pod: PodRecord }
  | {
      readonly kind: "bookmark";
      readonly resourceVersion: string;
      readonly initialEventsEnd: boolean;
    };

/**
 * What a watch yields: events in batches, one batch for what arrived together, the first of them empty as
 * soon as the server has accepted; at most one failure, as the last item. A stream that ends without a
 * failure was closed by the server in good order.
 */
export type PodWatchItem =
  | { readonly kind: "events"; readonly events: readonly PodWatchEvent[] }
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface PodSource {
  listPods(request: PodListRequest, signal: AbortSignal): Promise<Result<PodPage, ClusterError>>;
  /**
   * Ends with an AbortError when `signal` aborts, and closes its socket then. A watch on which nothing
   * arrives for longer than a bookmark may take fails as unreachable.
   */
  watchPods(request: PodWatchRequest, signal: AbortSignal): AsyncIterable<PodWatchItem>;
}

// ---- Logs ------------------------------------------------------------------------------------

export interface LogRequest {
  readonly namespace: string;
  readonly pod: string;
  /** Of the pod: where another has its name by now, the log is `notFound`. Undefined: of whichever has it. */
  readonly uid?: string | undefined;
  /** Undefined: the pod's only container. */
  readonly container: string | undefined;
  readonly follow: boolean;
  /** The container's run before its last restart. */
  readonly previous: boolean;
  /** At most so many lines of what there is; undefined: all. 0 is "from now on". */
  readonly tailLines: number | undefined;
  /** RFC 3339; the server rounds down to the second, so lines of that second come again. */
  readonly sinceTime: string | undefined;
}

/**
 * Lines in batches, the first of them empty as soon as the server has accepted; at most one failure, last.
 * An end without failure: the container has ended, or its server has; a last line without a line feed is told
 * as unfinished. Whoever waits for the next item holds on to the one before, so lines are not in an item but there to
 * be taken: once, before the next is asked for.
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

/** What the server says of an object that it holds. */
export interface StoredObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly resourceVersion: string;
  /** The object as it came, for previews and for replacing. */
  readonly body: unknown;
}

export interface WriteOptions {
  /** The server checks and answers as if it wrote, and writes nothing. */
  readonly dryRun: boolean;
  /** Spark up to 3.5 names the character set in the content type. */
  readonly charset: boolean;
  /** The server refuses fields that it does not know or that stand twice; else it leaves them out. */
  readonly fieldValidation?: "Strict";
}

export interface CreateOptions extends WriteOptions {
  /** Among which objects it is to be, if its manifest calls itself something else. */
  readonly sentTo?: { readonly apiVersion: string; readonly kind: string };
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force: boolean;
}

export interface DeleteOptions {
  /** Deletes only this very object: a 409 says that another one has its name. */
  readonly uid: string | undefined;
  readonly propagationPolicy: "Background" | "Foreground" | "Orphan" | undefined;
  readonly gracePeriodSeconds: number | undefined;
}

/** Asks for a list in one piece, as Spark does. Undefined: without a selector too. */
export interface WholeList {
  readonly kind: "whole";
  readonly labelSelector: string | undefined;
}

/** Single requests. None is retried once it may have been carried out, but for reads. */
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
  /** PUT; the manifest carries the resource version that it replaces. */
  replace(
    namespace: string,
    manifest: Manifest,
    options: WriteOptions,
    signal: AbortSignal,
  ): Promise<Result<StoredObject, ClusterError>>;
  /** A JSON merge patch: members replace those of their name, and null takes one away. */
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
  /** All objects of one kind that carry the labels, without their managed fields. An empty selector: all; no namespace: of all. */
  list(
    kind: { readonly apiVersion: string; readonly kind: string },
    namespace: string | undefined,
    labelSelector: string | WholeList,
    signal: AbortSignal,
  ): Promise<Result<readonly StoredObject[], ClusterError>>;
}

export interface Evictions {
  /** As a deletion, but fails as `protected` where a disruption budget forbids it. */
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
  /** The size of the terminal that the program gets; undefined: it gets none, and no input. */
  readonly terminal: TerminalSize | undefined;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What a program says; its end, or the failure of the connection to it, is the last. */
export type ExecItem =
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "ended"; readonly exitCode: number }
  | { readonly kind: "failed"; readonly error: ClusterError };

/** A program that runs in a container. To dispose of it closes its terminal, which ends most programs. */
export interface ExecSession extends Disposable {
  /** Has one reader. */
  readonly items: AsyncIterable<ExecItem>;
  type(text: string): void;
  resize(size: TerminalSize): void;
}

export interface PodExec {
  start(request: ExecRequest, signal: AbortSignal): Promise<Result<ExecSession, ClusterError>>;
}

// ---- Ports of pods -----------------------------------------------------------------------------

/** A connection to a port of a pod. To dispose of it breaks it off. */
export interface PodStream extends Disposable {
  /** Has one reader. Ends when the pod has closed the connection, after at most one failure. */
  readonly items: AsyncIterable<PodStreamItem>;
  /** A promise, where more should wait until it is settled. */
  write(bytes: Uint8Array): Promise<void> | undefined;
}

export type PodStreamItem =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "failed"; readonly error: ClusterError };

/**
 * Takes the right to `create pods/portforward`. The channels over WebSocket cannot say that one direction has
 * ended: what a pod sends after our end of the conversation still comes, but it does not learn of that end.
 */
export interface PodPorts {
  open(pod: PodPort, signal: AbortSignal): Promise<Result<PodStream, ClusterError>>;
}

export interface ForwardRequest {
  /** Tried first; undefined or taken: any free one. */
  readonly localPort: number | undefined;
  /** Reaches the pod, for each connection anew. */
  readonly dial: (signal: AbortSignal) => Promise<Result<PodStream, ClusterError>>;
  /** A connection came or went. */
  readonly changed: () => void;
  /** A connection was refused or broke. */
  readonly failed: (error: ClusterError) => void;
}

/** A port of this machine, open to it alone, whose connections end in a pod. */
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

/** What a pod serves over HTTP, by way of the API server: takes the right to `get pods/proxy`. */
export interface PodPages {
  /** `path`: from the root, as `/api/v1/applications`. JSON only. */
  read(pod: PodPort, path: string, signal: AbortSignal): Promise<Result<unknown, ClusterError>>;
}

// ---- Rights ----------------------------------------------------------------------------------

/** What somebody would do. */
export interface AccessAttributes {
  readonly verb: string;
  /** Empty for the core API. */
  readonly group: string;
  /** In the plural, with what is below it: `pods`, `pods/proxy`. */
  readonly resource: string;
  /** Undefined: all namespaces, or an object of none. */
  readonly namespace: string | undefined;
  /** Who would; undefined: the connection's own identity. To ask about others takes a right of its own. */
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
  /** What the cluster has noted of this very pod, the newest first; it forgets after an hour or so. */
  noticesOf(pod: PodName, signal: AbortSignal): Promise<Result<readonly PodNotice[], ClusterError>>;
}

/** The REST API of a driver, which the API server passes on to its pod. Takes the right to get `pods/proxy`. */
export interface DriverAddress {
  readonly namespace: string;
  readonly pod: string;
  readonly port: number;
  readonly applicationId: string;
}

export interface DriverApi {
  executors(
    driver: DriverAddress,
    signal: AbortSignal,
  ): Promise<Result<ReportedExecutors, ClusterError>>;
  /** `known`: what it said before, of which only the target changes. */
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

/** As of a pod watch: at most one failure, last. `resourceVersion` is where to go on from. */
export type ResourceWatchItem =
  | {
      readonly kind: "events";
      readonly events: readonly ResourceEvent[];
      readonly resourceVersion: string | undefined;
    }
  | { readonly kind: "failed"; readonly error: ClusterError };

export interface ResourceSource {
  /** `notFound` where the cluster does not know the kind. */
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

/** A log on this machine's disk: of one container, over all its runs. */
export interface KeptLogName {
  readonly context: string;
  readonly namespace: string;
  /** Spark's id of the application, and its name. */
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
  /** On the disk. */
  readonly bytes: number;
  /** The stamps of the first and of the last line that are there. */
  readonly first: string;
  readonly last: string;
  /** Older lines were dropped for the sake of space. */
  readonly isCutOff: boolean;
}

/** The one writer of an application's logs, in whichever window. When it is done, another window may write. */
export interface KeptLogWriter extends Running {
  /**
   * Settles when the lines can be counted on to be on the disk, or the disk refuses them. `lost`: another window
   * has taken over, as this one seemed to be dead, and nothing was written.
   */
  append(log: KeptLogName, lines: readonly LogLine[]): Promise<"kept" | "lost">;
  /** Nothing more is written to a log, as far as is known: all of it is compressed. */
  end(log: KeptLogName): Promise<void>;
  /** The newest lines that are there, from which to go on; none where another window has taken over. */
  newest(log: KeptLogName): Promise<readonly LogLine[]>;
}

/** What is there is bounded in size and in age; files that only this user may read. */
export interface KeptLogs {
  /** Undefined while another window writes this application's logs. */
  openWriter(context: string, applicationId: string): Promise<KeptLogWriter | undefined>;
  /** Drops what is too old, and what takes too much space; who lists or writes does so, too. */
  prune(): Promise<void>;
  /** The newest first. */
  list(): Promise<readonly KeptLog[]>;
  /** Batches of its lines, the oldest first; undefined in the place of what cannot be read any more. */
  read(log: KeptLogName, signal: AbortSignal): AsyncIterable<readonly LogLine[] | undefined>;
  /** Forgets all logs of an application; false: not as long as a window writes them. */
  forget(context: string, applicationId: string): Promise<boolean>;
}

// ---- Uploads ---------------------------------------------------------------------------------

export interface UploadError {
  readonly upload: Upload;
  /** The system's own sentence. */
  readonly detail: string;
}

/** Where files of this machine are copied to, so that the driver can fetch them. */
export interface UploadTarget {
  copy(upload: Upload, signal: AbortSignal): Promise<Result<void, UploadError>>;
}

// ---- Connection ------------------------------------------------------------------------------

/** One context of the kubeconfig, in use. Everything that it opened ends with it. */
export interface Connection extends Disposable {
  readonly context: string;
  readonly server: string;
  /** Tells it from one that would lead elsewhere, or go in another name; says nothing else. */
  readonly targetId: string;
  /** The context's own namespace, or `default`. */
  readonly namespace: string;
  /**
   * The cluster's time, in milliseconds since the epoch: what its objects' times are compared with, as ours
   * may be another. Ours until the server has told its own.
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

/** The server that a submission names, in use. */
export interface AccessConnection extends Connection {
  /** The context whose server it is; without one, the server's address. */
  readonly context: string;
  /** What the context says itself; undefined: nothing, or there is none. */
  readonly contextNamespace: string | undefined;
  readonly identity: AccessIdentity;
}

/** In whose name its requests are sent. */
export type AccessIdentity =
  /** As the kubeconfig has it for this server. */
  | { readonly kind: "context" }
  /** As the conf or the environment says. */
  | { readonly kind: "conf" }
  /** In nobody's. */
  | { readonly kind: "none" }
  /** With the credentials of a context that is of another server: not to be used unasked. */
  | { readonly kind: "foreign"; readonly context: string; readonly ownServer: string };

/** Where a submission starts from. */
export interface AccessPlace {
  /** The context in use; undefined: the kubeconfig's current one. */
  readonly context: string | undefined;
  /** Variables over those of the extension's own environment; KUBECONFIG counts over the settings. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface KubeContext {
  readonly name: string;
  readonly cluster: string;
  readonly server: string;
  readonly user: string;
  readonly namespace: string | undefined;
}

/** What the kubeconfig files say, merged by kubectl's rules. No secrets. */
export interface KubeconfigSummary {
  readonly contexts: readonly KubeContext[];
  readonly currentContext: string | undefined;
  /** The files read, for watching them and for telling. */
  readonly files: readonly string[];
}

/** What the user's side gives to reach clusters with; nothing in it comes from a workspace. */
export interface ClusterSettings {
  /** Paths to kubeconfig files; empty: KUBECONFIG, then ~/.kube/config. */
  readonly kubeconfigFiles: readonly string[];
  /** False where a plug-in may not run (an untrusted workspace). */
  readonly mayRunPlugins: boolean;
}

export interface Clusters extends Disposable {
  /** Listens until it is disposed of, whatever becomes of connections to clusters meanwhile. */
  forward(request: ForwardRequest): Promise<PortForward>;
  /** Where kubeconfig files are looked for, there or not: for watching them. */
  kubeconfigPaths(settings: ClusterSettings): readonly string[];
  readKubeconfig(
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<KubeconfigSummary, ClusterError>>;
  /** That of the connection that `connect` would make now, or why it would make none; undefined: the context was taken away. */
  targetId(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<string | undefined, ClusterError>>;
  /** `context` undefined: the current one. Sends nothing yet. */
  connect(
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<Connection, ClusterError>>;
  /**
   * The server that the access names, with the credentials of the context that has this server, and what
   * the access says of its own over that. A kubeconfig need not be there. Sends nothing yet.
   */
  connectTo(
    access: Access,
    place: AccessPlace,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<AccessConnection, ClusterError>>;
}
