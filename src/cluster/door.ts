import { DisposableStore } from "../base/disposable.ts";
import { ok, type Result } from "../base/result.ts";
import type { ClusterError } from "../engine/clusterError.ts";
import type {
  Clock,
  Clusters,
  ClusterSettings,
  Connection,
  KubeconfigSummary,
  Random,
} from "../engine/ports.ts";
import { throwIfAborted } from "./abort.ts";
import { openConnection, type ConnectionLimits } from "./connection.ts";
import { listenLocally } from "./forward/localPort.ts";
import { resolveAccess } from "./kubeconfig/accessTarget.ts";
import {
  type Kubeconfig,
  type KubeconfigPlaces,
  kubeconfigPaths,
  loadKubeconfig,
} from "./kubeconfig/kubeconfig.ts";
import { findContext, resolveTarget, targetIdOf, type Target } from "./kubeconfig/target.ts";
import { Redactor } from "./redactor.ts";

export interface ClusterOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** Kubeconfig files of our own, read after the user's: the sandbox's. */
  readonly ownKubeconfigs?: readonly string[];
  /** What the API server's audit log shows of us. */
  readonly userAgent: string;
  /** Hears of what goes wrong, without secrets. */
  readonly log: (line: string) => void;
  /** Where a pod finds its credentials; undefined: where Kubernetes puts them. */
  readonly serviceAccountFolder?: string;
}

/** The door to clusters. Each connection keeps the kubeconfig that it was made from. */
export function openClusters(options: ClusterOptions): Clusters {
  const { clock, random, env, userAgent } = options;
  const redactor = new Redactor();
  const log = (line: string): void => {
    options.log(redactor.redact(line));
  };
  /** Connections, and ports that lead to pods. */
  const connections = new DisposableStore();

  const load = (
    settings: ClusterSettings,
    signal: AbortSignal,
  ): Promise<Result<Kubeconfig, ClusterError>> =>
    loadKubeconfig(placesOf(options, settings), signal);

  const open = (
    target: Target,
    environment: ClusterOptions["env"],
    { mayRunPlugins }: ClusterSettings,
    limits: ConnectionLimits,
  ): Result<Connection, ClusterError> => {
    const around = { clock, random, env: environment, userAgent, redactor, log, mayRunPlugins };
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
      // Others that are there without it say that it was taken away; without any the file is still being written.
      const hasOthers = kubeconfig.value.model.getContexts().length > 0;
      const isTakenAway = hasOthers && !findContext(kubeconfig.value, context).ok;
      return isTakenAway ? ok(undefined) : target;
    },

    async connect(context, settings, signal) {
      const kubeconfig = await load(settings, signal);
      if (!kubeconfig.ok) return kubeconfig;
      const target = await resolveTarget(kubeconfig.value, context, env);
      if (!target.ok) return target;
      throwIfAborted(signal);
      const usual = { connectMs: undefined, requestMs: undefined };
      return open(target.value, env, settings, usual);
    },

    async connectTo(access, { context, environment }, settings, signal) {
      const own = { ...env, ...environment };
      const isNamed = environment["KUBECONFIG"] === undefined;
      const places = placesOf({ ...options, env: own }, settings);
      const kubeconfig = await loadKubeconfig(isNamed ? places : { ...places, named: [] }, signal);
      const resolved = await resolveAccess(kubeconfig, access, context, own);
      if (!resolved.ok) return resolved;
      throwIfAborted(signal);
      const { target, identity, contextNamespace } = resolved.value;
      const connection = open(target, own, settings, {
        connectMs: limitOf(access.connectionTimeoutMs),
        requestMs: limitOf(access.requestTimeoutMs),
      });
      return connection.ok ? ok({ ...connection.value, identity, contextNamespace }) : connection;
    },

    dispose: () => {
      connections.dispose();
    },
  };
}

// Zero is no limit to Spark's client; here it is the usual one.
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
