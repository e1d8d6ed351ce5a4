import type { QuickPickItem } from "vscode";
import { answerInPick } from "../answeredPick.ts";
import { msg, type Message } from "../../base/message.ts";
import { suggestionMs, withinAnswerDeadline } from "../../engine/withinTime.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import type { ObjectApi } from "../../engine/ports/objects.ts";
import { settings } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Screen } from "../screen.ts";
import type { chosenContext, clusterSettings, furtherContexts } from "../settings.ts";
import type { ClusterSession } from "./clusterSession.ts";
import {
  contextChoices,
  furtherChoices,
  isOtherThanRows,
  namespaceChoices,
  namespacesAfter,
  namespacesFault,
  namespacesIn,
} from "./clusterChoices.ts";
import { contextIn, furtherAfter } from "./contextChoice.ts";

type ClusterSetting = "context" | "furtherContexts" | "kubeconfig" | "namespaces";

/** The parts of the window and the VS Code settings that the commands for choosing clusters and namespaces use. */
export interface ChoiceWindow {
  readonly screen: Pick<
    Screen,
    | "createQuickPick"
    | "icon"
    | "showClusterError"
    | "showInputBox"
    | "showQuickPick"
    | "translated"
    | "withProgress"
  >;
  readonly chosenContext: typeof chosenContext;
  readonly clusterSettings: typeof clusterSettings;
  readonly furtherContexts: typeof furtherContexts;
  /** Returns the value of the namespaces setting. */
  readonly namespaces: () => readonly string[];
  /**
   * Stores the value in the user settings. With `mayBeOfWorkspace`, stores it in the workspace settings if they contain
   * a value, which would override the user setting.
   */
  readonly update: (
    setting: (typeof settings)[ClusterSetting],
    value: unknown,
    mayBeOfWorkspace?: "mayBeOfWorkspace",
  ) => Thenable<void>;
  /** Shows a file dialog and returns the chosen path; undefined if the user cancels. */
  readonly pickFile: (title: Message) => Thenable<string | undefined>;
}

interface NamespaceItem extends QuickPickItem {
  readonly picked: boolean;
}

type ChoiceSession = Pick<ClusterSession, "chosen" | "clusters">;

/** Shows a quick pick of additional contexts to watch, and stores the selection in the user settings. */
export async function watchFurther(
  session: ChoiceSession,
  log: Log,
  window: ChoiceWindow,
): Promise<void> {
  const { screen } = window;
  const clusters = await session.clusters();
  const read = await clusters.readKubeconfig(
    window.clusterSettings(),
    new AbortController().signal,
  );
  if (!read.ok) {
    await screen.showClusterError(msg("Cannot read the kubeconfig"), read.error, log);
    return;
  }
  const inUse = session.chosen?.context;
  const now = window.furtherContexts();
  const items = furtherChoices(read.value.contexts, inUse, now).map((choice) => ({
    ...choice,
    detail: screen.translated(choice.detail),
  }));
  const chosen = await screen.showQuickPick(items, {
    title: screen.translated(msg("Watch More Clusters")),
    placeHolder:
      items.length === 0
        ? screen.translated(msg("The kubeconfig has no other context"))
        : screen.translated(msg`Shown in addition to "${inUse ?? ""}", the target of submissions`),
    canPickMany: true,
  });
  if (chosen === undefined) return;
  const names = (of: readonly { readonly label: string }[]): readonly string[] =>
    of.map(({ label }) => label);
  const value = furtherAfter(now, names(items), names(chosen));
  await window.update(settings.furtherContexts, value);
}

/** Shows a quick pick of contexts and of another kubeconfig file, and stores the choice in the user settings. */
export async function chooseCluster(
  session: ChoiceSession,
  log: Log,
  window: ChoiceWindow,
): Promise<void> {
  const { screen } = window;
  const clusters = await session.clusters();
  const read = await clusters.readKubeconfig(
    window.clusterSettings(),
    new AbortController().signal,
  );
  if (!read.ok && read.error.kind !== "configuration") {
    await screen.showClusterError(msg("Cannot read the kubeconfig"), read.error, log);
    return;
  }
  const inUse = session.chosen?.context;
  const contexts = read.ok ? read.value.contexts : [];
  const items = contextChoices(contexts, inUse).map(({ label, description, detail }) => ({
    label,
    description: screen.translated(description),
    detail: screen.translated(detail),
    context: label,
  }));
  const browse = {
    label: screen.translated(msg("Use Another Kubeconfig File…")),
    iconPath: screen.icon("folder-opened"),
    context: undefined,
  };
  const chosen = await screen.showQuickPick([...items, browse], {
    title: screen.translated(msg("Choose Cluster")),
    placeHolder:
      items.length === 0
        ? screen.translated(msg("The kubeconfig has no contexts"))
        : screen.translated(msg("Select a context from the kubeconfig")),
  });
  if (chosen === undefined) return;
  if (chosen.context !== undefined) {
    await window.update(settings.context, chosen.context);
    return;
  }
  const file = await window.pickFile(msg("Kubeconfig file"));
  if (file === undefined) return;
  await window.update(settings.kubeconfig, [file]);
  const before = window.chosenContext();
  if (before === undefined) return;
  const kubeconfig = { ...window.clusterSettings(), kubeconfigFiles: [file] };
  const opened = await clusters.readKubeconfig(kubeconfig, new AbortController().signal);
  // If the file is unreadable, the view reports it. Keep the chosen context then, because nothing shows that it is
  // wrong.
  if (!opened.ok || contextIn(opened.value.contexts, before) !== undefined) return;
  await window.update(settings.context, undefined);
}

/**
 * Prompts for the namespaces to watch and stores them. Shows a quick pick if the cluster lists its namespaces in time,
 * otherwise an input box.
 */
export async function chooseNamespaces(
  session: ChoiceSession,
  window: ChoiceWindow,
): Promise<void> {
  const { chosen } = session;
  const listed = chosen && (await listNamespaces(chosen, window));
  const names = listed?.ok
    ? await pickNamespaces(
        listed.value.map(({ name }) => name),
        chosen?.namespace,
        window,
      )
    : await askForNamespaces(chosen?.namespace, window);
  if (names === undefined) return;
  await window.update(settings.namespaces, names, "mayBeOfWorkspace");
}

// Waits at most `suggestionMs`, because the caller can show an input box instead of a list.
const listNamespaces = (
  { objects }: Pick<Connection, "objects">,
  { screen }: ChoiceWindow,
): Promise<Awaited<ReturnType<ObjectApi["list"]>> | undefined> =>
  Promise.resolve(
    screen.withProgress({ where: "view of applications" }, (signal) =>
      withinAnswerDeadline(
        (soon) => objects.list({ apiVersion: "v1", kind: "Namespace" }, undefined, "", soon),
        signal,
        suggestionMs,
      ),
    ),
  );

function pickNamespaces(
  listed: readonly string[],
  own = "default",
  { screen, namespaces }: ChoiceWindow,
): Promise<readonly string[] | undefined> {
  const pick = screen.createQuickPick<NamespaceItem>();
  const before = namespaces();
  const items = namespaceChoices(listed, before, own).map(({ label, description, picked }) => ({
    ...{ label, picked },
    description: screen.translated(description),
  }));
  const answerTo = (): readonly string[] =>
    namespacesAfter(
      { before, own, names: items.map(({ label }) => label) },
      pick.selectedItems.map(({ label }) => label),
      pick.value,
    );
  const title = screen.translated(msg("Choose Namespaces"));
  pick.title = title;
  pick.placeholder = screen.translated(
    msg("Select the namespaces to watch, or type names separated by commas"),
  );
  pick.canSelectMany = true;
  pick.items = items;
  pick.selectedItems = items.filter(({ picked }) => picked);
  const typing = pick.onDidChangeValue((text) => {
    const isOther = isOtherThanRows(
      text,
      items.map(({ label }) => label),
    );
    const words = namespacesFault(text) ?? msg`Press Enter to watch: ${answerTo().join(", ")}`;
    pick.title = isOther ? `${title}: ${screen.translated(words)}` : title;
  });
  // If the typed text is invalid, the list stays open, and its title shows the error.
  return answerInPick(pick, () =>
    namespacesFault(pick.value) === undefined ? answerTo() : "open",
  ).finally(() => {
    typing.dispose();
  });
}

async function askForNamespaces(
  own = "default",
  { screen, namespaces }: ChoiceWindow,
): Promise<readonly string[] | undefined> {
  const text = await screen.showInputBox({
    title: screen.translated(msg("Choose Namespaces")),
    prompt: screen.translated(
      msg`Namespaces to watch, separated by commas, or * for all. Leave empty for the namespace of the context, "${own}".`,
    ),
    value: namespaces().join(", "),
    validateInput: (value) => screen.translated(namespacesFault(value)),
  });
  return text === undefined ? undefined : namespacesIn(text);
}
