import type { Application } from "../pods/application.ts";
import type { DisplayState } from "../pods/displayState.ts";
import type { PodRecord } from "../pods/podRecord.ts";
import type { DriverReport } from "./driverReport.ts";
import type { PodNotice } from "./podNotice.ts";

/** Why a pod is not well, in words. */
export interface Diagnosis extends Words {
  /** Stable, for tests and for asking one another: `D39`. */
  readonly id: string;
}

export interface Words {
  /** For the row of a tree, without a full stop: `no node has 5.4 GiB free`. */
  readonly fact: string;
  /** What happened and why, in whole sentences. */
  readonly what: string;
  /** What to change, in whole sentences. */
  readonly change: string;
  /** The conf keys that mend it; empty where it is not for the conf to mend. */
  readonly keys: readonly string[];
  /** The cluster's own words, where there are any. */
  readonly told: string | undefined;
}

/** What there is to judge by. */
export interface Patient {
  readonly pod: PodRecord;
  readonly state: DisplayState;
  readonly role: "driver" | "executor";
  /** Undefined: no driver pod tells. */
  readonly isPython: boolean | undefined;
  /** What the cluster has noted of the pod, the newest first. */
  readonly notices: readonly PodNotice[];
  readonly application: Application;
  /** What the driver says of itself; undefined where it was not asked, or may not be. */
  readonly report: DriverReport | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A diagnosis that can be made, and what it is made from. */
export interface Rule {
  readonly id: string;
  readonly needs: "the pod" | "its events" | "the driver's word";
  readonly find: (patient: Patient) => Words | undefined;
}
