import { DisposableStore } from "../base/disposable.ts";
import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type { Clock, Random } from "../engine/ports/clock.ts";
import type {
  Clusters,
  ClusterSettings,
  Connection,
  KubeconfigSummary,
} from "../engine/ports/connection.ts";
import { throwIfAborted } from "../io/abort.ts";
import { agreedTarget } from "./agreedTarget.ts";
import { openConnection, type ConnectionLimits } from "./connection.ts";
import { listenLocally } from "./forward/localPort.ts";
import { resolveAccess } from "./kubeconfig/accessTarget.ts";
import {
  type Kubeconfig,
  type KubeconfigPlaces,
  kubeconfigPaths,
  loadKubeconfig,
} from "./kubeconfig/kubeconfig.ts";
import {
  clusterTargetOf,
  findContext,
  resolveTarget,
  targetIdOf,
  type KubeconfigTarget,
} from "./kubeconfig/target.ts";
import { serveUi } from "./ui/uiProxy.ts";
import { Redactor } from "./redactor.ts";
import { endpointText } from "../io/http/endpoint.ts";

interface ClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** The extension's own kubeconfig files, such as the sandbox's. They are read after the user's. */
  readonly ownKubeconfigs?: readonly string[];
  /** User-Agent header, as shown in the API server's audit log. */
  readonly userAgent: string;
  /** Receives redacted diagnostic lines. */
  readonly log: (line: string) => void;
  /** Folder of the pod's service account. Undefined means the default path of Kubernetes. */
  readonly serviceAccountFolder?: string;
}

/** Creates the entry point to clusters. Except for OIDC tokens, kubeconfig changes affect only new connections. */
export function openClusters(options: ClusterOptions): Clusters {
  const { clock, random, env, userAgent } = options;
  const redactor = new Redactor();
  const log = (line: string): void => {
    options.log(redactor.redact(line));
  };
  /** Open connections, port forwards and UI proxies. */
  const connections = new DisposableStore();

  const load = (
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<Kubeconfig, ClusterError>> =>
    loadKubeconfig(placesOf(options, settings), signal);

  const resolve = async (
    context: string | undefined,
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<KubeconfigTarget, ClusterError>> => {
    const kubeconfig = await load(settings, signal);
    return kubeconfig.ok ? resolveTarget(kubeconfig.value, context, env) : kubeconfig;
  };

  const open = (
    target: KubeconfigTarget,
    { mayRunPlugins }: ClusterSettings,
    limits: ConnectionLimits,
  ): Result<Connection, ClusterError> => {
    const around = { clock, random, env, userAgent, redactor, log, mayRunPlugins };
    const connection = openConnection(target, around, limits);
    if (!connection.ok) return connection;
    const opened = connections.add(connection.value);
    return ok({
      ...opened,
      dispose: () => {
        connections.remove(opened);
      },
    });
  };

  return {
    forward: async (request) => {
      const forward = connections.add(await listenLocally(request, clock));
      return {
        get localPort() {
          return forward.localPort;
        },
        get connections() {
          return forward.connections;
        },
        dispose: () => {
          connections.remove(forward);
        },
      };
    },

    serveUi: async (request) => {
      const proxy = connections.add(await serveUi(request, clock));
      return {
        ...{ port: proxy.port, root: proxy.root, accept: proxy.accept },
        get way() {
          return proxy.way;
        },
        dispose: () => {
          connections.remove(proxy);
        },
      };
    },

    kubeconfigPaths: (settings) => kubeconfigPaths(placesOf(options, settings)),

    async readKubeconfig(settings, signal) {
      const kubeconfig = await load(settings, signal);
      return kubeconfig.ok ? ok(summaryOf(kubeconfig.value)) : kubeconfig;
    },

    async targetId(context, settings, signal) {
      const kubeconfig = await load(settings, signal);
      if (!kubeconfig.ok) return kubeconfig;
      const target = await resolveTarget(kubeconfig.value, context, env);
      if (target.ok) return ok(targetIdOf(target.value));
      // If other contexts exist, this one was removed. If none exists, another program is probably still writing the
      // file.
      const hasOthers = kubeconfig.value.model.getContexts().length > 0;
      const isTakenAway = hasOthers && !findContext(kubeconfig.value, context).ok;
      return isTakenAway ? ok(undefined) : target;
    },

    async target(context, settings, signal) {
      const target = await resolve(context, settings, signal);
      return target.ok ? ok(clusterTargetOf(target.value)) : target;
    },

    async connect(context, settings, signal) {
      const target = await resolve(context, settings, signal);
      if (!target.ok) return target;
      throwIfAborted(signal);
      const noDeadlines = { connectMs: undefined, requestMs: undefined };
      return open(target.value, settings, noDeadlines);
    },

    async connectTo(access, { context, kubeconfig: named, isOfWorkspace }, settings, signal) {
      const places = placesOf(options, settings);
      const kubeconfig = await loadKubeconfig(
        named === undefined ? places : { ...places, named: [], env: { ...env, KUBECONFIG: named } },
        signal,
      );
      const ofUser = named === undefined ? kubeconfig : await load(settings, signal);
      const sides = { chosen: context, env, namedKubeconfig: named, isOfWorkspace };
      const resolved = await resolveAccess({ kubeconfig, ofUser }, access, sides);
      if (!resolved.ok) return resolved;
      throwIfAborted(signal);
      const { target, identity, serverContexts, contextNamespace, question } = resolved.value;
      const limits = {
        connectMs: limitOf(access.connectionTimeoutMs),
        requestMs: limitOf(access.requestTimeoutMs),
      };
      return ok({
        context: target.context.name,
        server: endpointText(target.endpoint.url),
        identity,
        serverContexts,
        open: async (agree, openSignal) => {
          const asked = { question, agree, connectMs: limits.connectMs };
          const agreed = await agreedTarget(target, asked, clock, openSignal);
          if (!agreed.ok) return agreed;
          const connection = open(agreed.value, settings, limits);
          return connection.ok
            ? ok({ ...connection.value, identity, serverContexts, contextNamespace })
            : connection;
        },
      });
    },

    dispose: () => {
      connections.dispose();
    },
  };
}

// Spark's client treats 0 as no limit; here it means the default.
const limitOf = (ms: number | undefined): number | undefined =>
  ms !== undefined && ms > 0 ? ms : undefined;

const placesOf = (options: ClusterOptions, settings: ClusterSettings): KubeconfigPlaces => ({
  named: settings.kubeconfigFiles,
  env: options.env,
  homeDirectory: options.homeDirectory,
  own: options.ownKubeconfigs ?? [],
  serviceAccountFolder:
    options.serviceAccountFolder ?? "/var/run/secrets/kubernetes.io/serviceaccount",
});

function summaryOf({ model, clusters, currentContext, files }: Kubeconfig): KubeconfigSummary {
  return {
    contexts: model.getContexts().map((context) => ({
      name: context.name,
      cluster: context.cluster,
      server: clusters.get(context.cluster)?.server ?? "",
      user: context.user,
      namespace: context.namespace,
    })),
    currentContext,
    files,
  };
}
