import { l10n, window, type QuickPickItem, type TaskDefinition } from "vscode";
import { rehearsalImageName, scenarioVariable, type Scenario } from "../../spark/rehearsal.ts";
import { sandboxContext, taskType } from "../ids.ts";

interface Offer extends QuickPickItem {
  readonly scenario: Scenario;
  readonly conf?: Readonly<Record<string, string>>;
}

/** Asks what is to be acted; gives what submits it, as a run profile would say it. */
export async function chooseRehearsal(): Promise<TaskDefinition | undefined> {
  const chosen = await window.showQuickPick(offers(), {
    title: l10n.t("Rehearse Application"),
    placeHolder: l10n.t("What is to happen? Nothing is computed: driver and executors are acted."),
    matchOnDetail: true,
  });
  return chosen && definitionOf(chosen);
}

const definitionOf = ({ scenario, conf }: Offer): TaskDefinition => ({
  type: taskType,
  name: `rehearsal-${scenario}`,
  application: "local:///opt/spark/examples/src/main/python/pi.py",
  image: `${rehearsalImageName}:4.3.0`,
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
    label: l10n.t("It succeeds"),
    detail: l10n.t("Two executors do three stages, and all is well"),
    scenario: "success",
  },
  {
    label: l10n.t("Executors come and go"),
    detail: l10n.t("Dynamic allocation asks for more of them, and lets them go when they are idle"),
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
    detail: l10n.t("It is ended with 137, and another one comes in its place"),
    scenario: "oom",
  },
  {
    label: l10n.t("The image cannot be pulled"),
    detail: l10n.t("The executors wait, and the driver with them, until you stop it"),
    scenario: "image",
  },
  {
    label: l10n.t("No node has room"),
    detail: l10n.t("The executors ask for more memory than there is, until you stop it"),
    scenario: "unschedulable",
  },
  {
    label: l10n.t("An executor takes its shuffle files along"),
    detail: l10n.t("A fetch fails, and what was lost is computed again"),
    scenario: "fetch-failure",
  },
  {
    label: l10n.t("An executor is decommissioned"),
    detail: l10n.t("It hands over its blocks before it leaves"),
    scenario: "decommission",
  },
  {
    label: l10n.t("The application's own code fails"),
    detail: l10n.t("A task fails four times, and the driver ends with 1"),
    scenario: "failure",
  },
  {
    label: l10n.t("It goes on"),
    detail: l10n.t("Until you stop it: to look around in"),
    scenario: "endless",
  },
];
