import { randomBytes } from "node:crypto";
import { homedir, userInfo } from "node:os";
import { join } from "node:path";
import { Uri, workspace, type ExtensionContext } from "vscode";
import { DisposableStore } from "./base/disposable.ts";
import { registerApps, type Apps } from "./editor/apps/registerApps.ts";
import { registerAssistant } from "./editor/assistant/registerAssistant.ts";
import type { CommandHandlers } from "./editor/commandArguments.ts";
import { registerCommands } from "./editor/registerCommands.ts";
import { registerProfiles } from "./editor/profiles/registerProfiles.ts";
import { registerSubmit } from "./editor/submit/registerSubmit.ts";
import { registerSandbox } from "./editor/sandbox/registerSandbox.ts";
import { registerDebug } from "./editor/debug/registerDebug.ts";
import { registerConf } from "./editor/conf/registerConf.ts";
import type { LogDisk } from "./editor/logs/logsContext.ts";
import { pruneKept } from "./editor/logs/pruneKept.ts";
import { redactionPatterns } from "./editor/logs/redactionPatterns.ts";
import { resumeKeeping } from "./editor/logs/resumeKeeping.ts";
import { ReadOnlyDocuments } from "./editor/readOnlyDocuments.ts";
import { lazyLog } from "./editor/log.ts";
import {
  chosenContext,
  chosenNamespaces,
  furtherContexts,
  clusterSettings,
  keptLogLimits,
} from "./editor/settings.ts";
import { resumeSession } from "./editor/session/connectedMark.ts";
import { gitCommitOf } from "./editor/runs/gitCommit.ts";
import { registerRuns } from "./editor/runs/registerRuns.ts";
import { RunHistory } from "./editor/runs/runHistory.ts";
import { watchFiles } from "./editor/watchFiles.ts";
import { sessionPort } from "./spark/submit/session/sessionPort.ts";
import { objectNames } from "./engine/objectNames.ts";
import type { RunnerPlace } from "./engine/ports/selections.ts";
import type { AgreeToTrust, SpecialPlace } from "./engine/ports/connection.ts";
import { systemClock } from "./engine/systemClock.ts";

/** Registers all features. Each lazy bundle is loaded at its first use. */
export function activate(context: ExtensionContext): void {
  const root = new DisposableStore();
  context.subscriptions.push(root);
  const log = root.add(lazyLog());
  const clock = systemClock;
  const random = Math.random;
  const sandboxFolder = join(context.globalStorageUri.fsPath, "sandbox");
  const localSpark = {
    downloads: join(context.globalStorageUri.fsPath, "spark"),
    environment: process.env,
    untrusted: () => (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath),
  };
  const sessionFolder = Uri.joinPath(context.extensionUri, "media", "session");
  const { fsPath: jvmInitScript } = Uri.joinPath(
    context.extensionUri,
    "media",
    "jvm",
    "classPath.gradle",
  );
  const logFolder = Uri.joinPath(context.globalStorageUri, "logs");
  const loadLogDisk = async (): Promise<LogDisk> => {
    const { keptLogs, writeFileAtomically } = await import("./storage/door.ts");
    const folder = logFolder.fsPath;
    const kept = keptLogs({ folder, clock, limits: keptLogLimits, log: log.debug });
    return { kept, save: writeFileAtomically };
  };
  const documents = root.add(new ReadOnlyDocuments());
  const runFolder = Uri.joinPath(context.storageUri ?? context.globalStorageUri, "runs");
  const history = root.add(
    new RunHistory(async () =>
      (await import("./storage/door.ts")).keptRuns(runFolder.fsPath, clock),
    ),
  );
  const apps: Apps = root.add(
    registerApps(async (outlet) => {
      const { openApps } = await import("./editor/apps/door.ts");
      const options = {
        loadClusters: async () =>
          (await import("./cluster/door.ts")).openClusters({
            clock,
            random,
            env: process.env,
            homeDirectory: homedir(),
            ownKubeconfigs: [join(sandboxFolder, "kubeconfig")],
            userAgent: `spark-k8s-vscode/${versionOf(context)}`,
            log: log.debug,
          }),
        clock,
        random,
        log,
        clusterSettings,
        chosenContext,
        chosenNamespaces,
        furtherContexts,
        watchFiles,
        documents,
        readEventLog: async (path: string, signal: AbortSignal) =>
          (await import("./storage/door.ts")).readEventLog(path, signal),
        findSpark: async () => (await import("./sandbox/door.ts")).findInstalledSpark(localSpark),
        userName: () => userInfo().username,
        load: {
          lifecycle: () => import("./editor/lifecycle/door.ts"),
          describe: () => import("./editor/describe/door.ts"),
          logs: () => import("./editor/logs/door.ts"),
          timelines: () => import("./editor/timeline/door.ts"),
          forward: () => import("./editor/forward/door.ts"),
          sessions: () => import("./editor/session/door.ts"),
        },
        pages: Uri.joinPath(context.extensionUri, "dist"),
        variables: context.environmentVariableCollection,
        startRunner: async (place: RunnerPlace) =>
          (await import("./storage/door.ts")).startRunner({
            ...place,
            program: Uri.joinPath(sessionFolder, "run_selection.py").fsPath,
            environment: process.env,
          }),
        defaultPython: process.platform === "win32" ? "python" : "python3",
        files: sessionFolder,
        runs: context.workspaceState,
        history,
        keptMarks: context.globalState,
        redactionPatterns: redactionPatterns(context.globalState, log.error),
        loadLogDisk,
      };
      return openApps(options, outlet);
    }, log),
  );
  root.add(resumeSession(context.workspaceState, apps.open, log.error));
  root.add(resumeKeeping(context.globalState, apps.open, log.error));
  const prune = async (): Promise<void> => (await loadLogDisk()).kept.prune();
  root.add(pruneKept(() => workspace.fs.stat(logFolder), prune, log.error));
  const profiles = root.add(
    registerProfiles({
      loadProfiles: () => import("./editor/profiles/door.ts"),
      memory: context.workspaceState,
      now: () => clock.now(),
      driverState: (driver, report) => apps.driverState(driver, report),
      log,
    }),
  );
  const agree: AgreeToTrust = async (question) => {
    const { agreeToTrust, submitWindow } = await import("./editor/submit/door.ts");
    return agreeToTrust(question, context.globalState, submitWindow.screen);
  };
  const mayReach = async (place: SpecialPlace): Promise<boolean> => {
    const door = await import("./editor/submit/door.ts");
    return door.askToReachAddress(place, context.globalState, door.submitWindow.screen);
  };
  const submissions = root.add(
    registerSubmit({
      documents,
      profiles,
      askOptions: {
        connect: (signal) => apps.connect(signal),
        namespaces: () =>
          apps.watchedNamespaces.length > 0
            ? apps.watchedNamespaces
            : chosenNamespaces().filter((name) => name !== "*"),
        log,
      },
      clusters: {
        target: async (name, signal) =>
          (await apps.clusters()).target(name ?? chosenContext(), clusterSettings(), signal),
        connect: async (name, signal) =>
          (await apps.clusters()).connect(name ?? chosenContext(), clusterSettings(), signal),
        connectTo: async (access, kubeconfig, signal) =>
          (await apps.clusters()).connectTo(
            access,
            { context: chosenContext(), kubeconfig, isOfWorkspace },
            clusterSettings(),
            signal,
          ),
      },
      agree,
      sessionProgram: Uri.joinPath(sessionFolder, "hold_session.py"),
      loadSubmit: () => import("./editor/submit/door.ts"),
      loadDisk: async () => {
        const {
          codeCollector,
          fetchTexts,
          jvmPrograms,
          localDisk,
          probeTexts,
          pythonPackages,
          uploadsFor,
        } = await import("./storage/door.ts");
        const environment = process.env;
        return {
          uploadsFor: (plan, written, progress, warn) =>
            uploadsFor(plan.conf, {
              document: { written, isOfWorkspace, agree },
              environment,
              homeDirectory: homedir(),
              clock,
              random,
              progress,
              warn,
            }),
          code: codeCollector,
          jvm: jvmPrograms(jvmInitScript),
          packages: pythonPackages({
            cacheFolder: join(context.globalStorageUri.fsPath, "packages"),
            tools: [
              { tool: "uv", program: "uv" },
              { tool: "pip", program: "python3" },
              { tool: "pip", program: "python" },
            ],
            environment,
          }),
          fetchTexts: (addresses, signal) => fetchTexts(addresses, { mayReach }, signal),
          probeTexts: (addresses, signal) => probeTexts(addresses, { mayReach }, signal),
          submissionEnvironment: (workingDirectory) => ({
            environment,
            workingDirectory,
            userName: userInfo().username,
            now: clock.now(),
            randomBytes,
            files: localDisk,
          }),
        };
      },
      watched: (connection, driver) => apps.watched(connection, driver),
      followed: (driver) => apps.followed(driver),
      submitted: (driver) => {
        apps.reveal(driver).catch(log.error);
        if (sessionPort(driver) !== undefined) apps.startedSession(driver).catch(log.error);
      },
      shownLogs: apps.shownLogs,
      clock,
      random,
      memory: context.workspaceState,
      history,
      commitOf: gitCommitOf,
      log,
    }),
  );
  const runs = root.add(
    registerRuns({
      history,
      documents,
      now: () => clock.now(),
      loadRuns: () => import("./editor/runs/door.ts"),
      submit: (definition, name) => submissions.run(definition, name),
      showTimeline: (id) => apps.showRunTimeline(id),
      log,
    }),
  );
  root.add(
    registerDebug({
      loadDebug: () => import("./editor/debug/door.ts"),
      run: (source, debugged) => submissions.debug(source, debugged),
      isRequested: (configuration) => submissions.isRequestedSession(configuration),
      loadDebuggers: async () =>
        (await import("./storage/door.ts")).pythonDebuggers({
          cacheFolder: join(context.globalStorageUri.fsPath, "debugger"),
          pythons: ["python3", "python"],
          environment: process.env,
        }),
      forward: async (request) => (await apps.clusters()).forward(request),
      clock,
      log,
    }),
  );
  root.add(
    registerAssistant({
      loadTools: () => import("./engine/assistant/door.ts"),
      loadFiles: async () => (await import("./storage/door.ts")).localDisk,
      connect: async (name, signal) =>
        name === undefined
          ? apps.connect(signal)
          : (await apps.clusters()).connect(name, clusterSettings(), signal),
      namespacesOf: ({ namespace }) => {
        const chosen = chosenNamespaces();
        if (chosen.includes("*")) return [undefined];
        return chosen.length === 0 ? [namespace] : chosen;
      },
      clock,
      userName: userInfo().username,
      randomBytes,
    }),
  );
  const sandbox = root.add(
    registerSandbox({
      open: async () =>
        (await import("./sandbox/door.ts")).openSandboxes({
          folder: sandboxFolder,
          program: join(context.extensionPath, "dist", "sandbox.cjs"),
          node: process.execPath,
          ...localSpark,
        }),
      submit: (definition) => submissions.run(definition),
      example: Uri.joinPath(context.extensionUri, "media", "example"),
      home: Uri.file(homedir()),
      memory: context.globalState,
      log,
    }),
  );
  const conf = root.add(
    registerConf(
      () => import("./editor/conf/door.ts"),
      {
        documents,
        canSubmit: true,
        memory: context.workspaceState,
        readDefaults: async () => (await import("./storage/door.ts")).sparkDefaults(process.env),
        namesInCluster: async (kind, namespace, signal) => {
          const { connected } = apps;
          const own = namespace ?? apps.watchedNamespaces[0] ?? connected?.namespace;
          return connected && objectNames(connected.objects, kind, own ?? "default", signal);
        },
      },
      log,
    ),
  );
  const handlers: CommandHandlers = {
    ...apps.handlers({ ...submissions, showLayers: conf.showLayers }),
    ...submissions.handlers,
    ...profiles.handlers,
    ...runs.handlers,
    ...sandbox.handlers,
    ...conf.handlers,
  };
  root.add(registerCommands(handlers, log));
}

async function isOfWorkspace(path: string): Promise<boolean> {
  const { isInside } = await import("./storage/door.ts");
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  return isInside(path, folders);
}

function versionOf({ extension }: ExtensionContext): string {
  const manifest: unknown = extension.packageJSON;
  const isManifest = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return isManifest ? String(manifest.version) : "0";
}
