import { l10n, type QuickPickItem, type TaskDefinition } from "vscode";
import { simulationImageName, scenarioVariable, type Scenario } from "../../spark/simulation.ts";
import { sandboxContext, taskType } from "../ids.ts";
import { window } from "../ui/window.ts";

interface Offer extends QuickPickItem {
  readonly scenario: Scenario;
  readonly conf?: Readonly<Record<string, string>>;
}

/**
 * Shows a quick pick of scenarios. Returns the task definition that submits the chosen one; undefined if the user
 * cancels.
 */
export async function chooseSimulation(): Promise<TaskDefinition | undefined> {
  const chosen = await window.showQuickPick(offers(), {
    title: l10n.t("Simulate Application"),
    placeHolder: l10n.t(
      "Select what happens. Driver and executors are simulated; nothing is computed.",
    ),
  });
  return chosen && definitionOf(chosen);
}

const definitionOf = ({ scenario, conf }: Offer): TaskDefinition => ({
  type: taskType,
  name: `simulation-${scenario}`,
  application: "local:///opt/spark/examples/src/main/python/pi.py",
  image: `${simulationImageName}:4.3.0`,
  context: sandboxContext,
  namespace: "default",
  serviceAccount: "spark",
  conf: {
    "spark.executor.instances": "2",
    [`spark.kubernetes.driverEnv.${scenarioVariable}`]: scenario,
    ...conf,
  },
});

const offers = (): readonly Offer[] => [
  {
    label: l10n.t("Success"),
    detail: l10n.t("Two executors run three stages without an error"),
    scenario: "success",
  },
  {
    label: l10n.t("Dynamic allocation"),
    detail: l10n.t("More executors are requested, and idle ones are removed"),
    scenario: "success",
    conf: {
      "spark.dynamicAllocation.enabled": "true",
      "spark.dynamicAllocation.shuffleTracking.enabled": "true",
      "spark.dynamicAllocation.minExecutors": "1",
      "spark.dynamicAllocation.maxExecutors": "4",
    },
  },
  {
    label: l10n.t("An executor runs out of memory"),
    detail: l10n.t("It is killed with exit code 137, and another one replaces it"),
    scenario: "oom",
  },
  {
    label: l10n.t("The image cannot be pulled"),
    detail: l10n.t("The driver waits for its executors until you stop it"),
    scenario: "image",
  },
  {
    label: l10n.t("No node has enough memory"),
    detail: l10n.t("The executors stay pending until you stop it"),
    scenario: "unschedulable",
  },
  {
    label: l10n.t("An executor is lost with its shuffle files"),
    detail: l10n.t("A fetch fails, and the stage is computed again"),
    scenario: "fetch-failure",
  },
  {
    label: l10n.t("An executor is decommissioned"),
    detail: l10n.t("It migrates its blocks before it exits"),
    scenario: "decommission",
  },
  {
    label: l10n.t("The application's code fails"),
    detail: l10n.t("A task fails four times, and the driver exits with code 1"),
    scenario: "failure",
  },
  {
    label: l10n.t("Endless run"),
    detail: l10n.t("Runs until you stop it"),
    scenario: "endless",
  },
];
