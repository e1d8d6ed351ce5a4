import type { ApplicationFacts } from "../../catalogue/applicationFacts.ts";
import type { Situation } from "./conf.ts";
import { settingTextOf, type DocumentSettings } from "./settings.ts";

const deployMode = "spark.submit.deployMode";

export function situationOf(settings: DocumentSettings, application: ApplicationFacts): Situation {
  const cluster = clusterOf(settings);
  const isWhole = application.isWhole === true;
  return { application, cluster, mode: application.mode ?? modeOf(settings, cluster, isWhole) };
}

function clusterOf(settings: DocumentSettings): Situation["cluster"] {
  const master = settingTextOf(settings, "spark.master");
  if (master !== undefined) return /^k8s:/i.test(master) ? "kubernetes" : "other";
  return settings.isForKubernetes ? "likely" : "unknown";
}

function modeOf(
  settings: DocumentSettings,
  cluster: Situation["cluster"],
  isWhole: boolean,
): Situation["mode"] {
  const mode = settingTextOf(settings, deployMode);
  if (mode === "cluster" || mode === "client") return mode;
  const isUnset = settings.entry(deployMode) === undefined;
  return isUnset && isWhole && cluster === "kubernetes" ? "client" : "unknown";
}
