import { err, ok, type Result } from "../../base/result.ts";
import { downloadPyspark, type PysparkProgress } from "../node/image/pysparkDownload.ts";
import { programEnvironment } from "../node/image/programEnvironment.ts";
import { pysparkHashes } from "../node/image/pysparkHashes.ts";
import {
  joinSandbox,
  startLeasedSandbox,
  stopSandbox,
  type Lease,
  type SandboxPlace,
} from "./lease.ts";
import { findSpark, type FoundSpark } from "./findSpark.ts";

interface SandboxesOptions extends Omit<SandboxPlace, "settings"> {
  /** Folder for Spark downloads. */
  readonly downloads: string;
  /** Workspace folders; programs in them must not run without the user's consent. */
  readonly untrusted: () => readonly string[];
}

/** The user's choices for a new sandbox. */
interface Wish {
  /** True to simulate all applications. */
  readonly simulate: boolean;
  /** True to permit the download of another Spark version if an image needs it. */
  readonly mayDownload: boolean;
}

/** The programs found on this machine, and functions that start a sandbox with them. */
interface SandboxMachine {
  readonly home: FoundSpark["home"];
  readonly sparkVersions: FoundSpark["sparkVersions"];
  readonly suits: FoundSpark["suits"];
  readonly lacksJava: boolean;
  download(
    sparkVersion: string,
    onProgress: (progress: PysparkProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<SandboxMachine, string>>;
  start(wish: Wish, signal: AbortSignal): Promise<Result<Lease, string>>;
}

/** The sandbox that all windows of a user share. */
interface OpenSandboxes {
  look(): Promise<SandboxMachine>;
  join(): Promise<Lease | undefined>;
  stop(): Promise<boolean>;
}

export function openSandboxes(options: SandboxesOptions): OpenSandboxes {
  const { folder, downloads } = options;
  const look = async (): Promise<SandboxMachine> => {
    const environment = programEnvironment(options.environment, options.untrusted());
    const { settings, home, sparkVersions, suits } = await findSpark(environment, downloads);
    return {
      home,
      sparkVersions,
      suits,
      lacksJava: settings.javaHome === undefined,
      download: async (sparkVersion, onProgress, signal) => {
        const { python } = settings;
        if (python === undefined)
          return err("downloading Spark requires Python, which was not found");
        const how = {
          python,
          hashes: pysparkHashes,
          environment,
          cacheFolder: downloads,
          onProgress,
        };
        const downloaded = await downloadPyspark(sparkVersion, how, signal);
        return downloaded.ok ? ok(await look()) : downloaded;
      },
      start: ({ simulate, mayDownload }, signal) => {
        const downloadFolder = mayDownload ? downloads : undefined;
        const own = { ...settings, simulate: simulate || settings.simulate, downloadFolder };
        return startLeasedSandbox({ ...options, environment, settings: own }, signal);
      },
    };
  };
  return { look, join: () => joinSandbox(folder), stop: () => stopSandbox(folder) };
}
