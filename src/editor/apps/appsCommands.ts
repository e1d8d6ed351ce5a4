import { commands } from "../ids.ts";

/** The commands on rows of the tree and on the cluster, all served behind the door. */
export const appsCommands = [
  commands.tail,
  commands.tailSeveral,
  commands.killExecutor,
  commands.decommission,
  commands.stop,
  commands.suspendApplication,
  commands.resumeApplication,
  commands.restart,
  commands.delete,
  commands.cleanUp,
  commands.terminal,
  commands.showPod,
  commands.showConf,
  commands.showEffectiveConf,
  commands.showEvents,
  commands.compare,
  commands.copyName,
  commands.filter,
  commands.clearFilter,
  commands.chooseCluster,
  commands.chooseNamespace,
  commands.reconnect,
  commands.explainProblem,
] as const;

export type AppsCommand = (typeof appsCommands)[number];
