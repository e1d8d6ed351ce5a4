import { l10n } from "vscode";
import type { Connection } from "../../engine/ports/connection.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import type { Application } from "../../spark/pods/application.ts";
import { sessionPort } from "../../spark/submit/session/sessionPort.ts";
import { sessionUsers, type SessionUser } from "../../spark/submit/session/sessionUsers.ts";
import { inView } from "../progress.ts";
import { namesFor } from "./targets.ts";

/** For a question: who has used the sessions among the applications, by their drivers. Empty without a session. */
export async function sessionUsersText(
  connection: Connection,
  applications: readonly Application[],
): Promise<string> {
  const lines = await inView((signal) =>
    Promise.all(applications.map((application) => usersOf(connection, application, signal))),
  );
  return lines.filter((line) => line !== "").join("\n");
}

async function usersOf(
  { pages }: Pick<Connection, "pages">,
  { name, namespace, driver }: Application,
  signal: AbortSignal,
): Promise<string> {
  if (driver === undefined || sessionPort(driver.pod) === undefined) return "";
  const id = driver.pod.labels[appSelectorLabel] ?? "";
  const port = driver.pod.driving?.uiPort ?? 4040;
  const path = `/api/v1/applications/${encodeURIComponent(id)}/jobs`;
  const jobs = await pages.read({ namespace, name: driver.pod.name, port }, path, signal);
  if (!jobs.ok) return l10n.t('The driver did not report who uses the session "{0}".', name);
  const users = sessionUsers(jobs.value);
  return users.length === 0
    ? l10n.t('No query has run a job in the session "{0}".', name)
    : l10n.t('Users of the session "{0}": {1}.', name, namesFor(users.map(userWords)));
}

function userWords({ name, jobs, isActive }: SessionUser): string {
  const user = name === "" ? l10n.t("unknown user") : name;
  const count = jobs === 1 ? l10n.t("1 job") : l10n.t("{0} jobs", jobs);
  return isActive
    ? l10n.t("{0} ({1}, a query is running)", user, count)
    : l10n.t("{0} ({1})", user, count);
}
