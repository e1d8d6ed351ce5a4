import { ok, type Result } from "../../base/result.ts";
import { downloadPyspark, type DownloadProgress } from "../node/image/pysparkDownload.ts";
import { joinSandbox, startSandbox, stopSandbox, type Lease, type SandboxPlace } from "./lease.ts";
import { lookHere, type Here } from "./lookHere.ts";

export interface SandboxesOptions extends Omit<SandboxPlace, "settings"> {
  /** Where Spark is downloaded to. */
  readonly downloads: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** What one that is to begin may do. */
export interface Wish {
  /** Whether all applications are to be acted. */
  readonly rehearse: boolean;
  /** Whether Spark of other versions may be downloaded, too, when an image asks for it. */
  readonly mayDownload: boolean;
}

/** This machine, as it was looked at, and a sandbox on it. */
export interface Ground {
  readonly home: Here["home"];
  readonly sparkVersions: Here["sparkVersions"];
  readonly suits: Here["suits"];
  readonly lacksJava: boolean;
  download(
    sparkVersion: string,
    tell: (progress: DownloadProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<Ground, string>>;
  start(wish: Wish, signal: AbortSignal): Promise<Result<Lease, string>>;
}

/** The sandbox of a user's windows. */
export interface OpenSandboxes {
  look(): Promise<Ground>;
  join(): Promise<Lease | undefined>;
  stop(): Promise<boolean>;
}

export function openSandboxes(options: SandboxesOptions): OpenSandboxes {
  const { folder, downloads, environment } = options;
  const look = async (): Promise<Ground> => {
    const { settings, home, sparkVersions, suits } = await lookHere(environment, downloads);
    return {
      home,
      sparkVersions,
      suits,
      lacksJava: settings.javaHome === undefined,
      download: async (sparkVersion, tell, signal) => {
        const { python = "python3" } = settings;
        const how = { python, environment, cacheFolder: downloads, onProgress: tell };
        const brought = await downloadPyspark(sparkVersion, how, signal);
        return brought.ok ? ok(await look()) : brought;
      },
      start: ({ rehearse, mayDownload }, signal) => {
        const downloadFolder = mayDownload ? downloads : undefined;
        const own = { ...settings, rehearse: rehearse || settings.rehearse, downloadFolder };
        return startSandbox({ ...options, settings: own }, signal);
      },
    };
  };
  return { look, join: () => joinSandbox(folder), stop: () => stopSandbox(folder) };
}
