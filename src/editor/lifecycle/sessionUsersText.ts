import { lines, msg, type Message } from "../../base/message.ts";
import type { Connection } from "../../engine/ports/connection.ts";
import { appSelectorLabel } from "../../spark/labels.ts";
import type { Application } from "../../spark/pods/application.ts";
import { sessionPort } from "../../spark/submit/session/sessionPort.ts";
import { sessionUsers, type SessionUser } from "../../spark/submit/session/sessionUsers.ts";
import type { Screen } from "../screen.ts";
import { inView } from "../inView.ts";
import { namesFor } from "./targets.ts";

/**
 * Returns the text for a confirmation: the users of each session among the applications. Undefined without a session.
 */
export async function sessionUsersText(
  screen: Pick<Screen, "translated" | "withProgress">,
  connection: Connection,
  applications: readonly Application[],
): Promise<Message | undefined> {
  const users = await inView(screen, (signal) =>
    Promise.all(
      applications.map((application) => usersOf(screen, connection, application, signal)),
    ),
  );
  return lines(users);
}

async function usersOf(
  screen: Pick<Screen, "translated">,
  { pages }: Pick<Connection, "pages">,
  { name, namespace, driver }: Application,
  signal: AbortSignal,
): Promise<Message | undefined> {
  if (driver === undefined || sessionPort(driver.pod) === undefined) return undefined;
  const id = driver.pod.labels[appSelectorLabel] ?? "";
  const port = driver.pod.driving?.uiPort ?? 4040;
  const path = `/api/v1/applications/${encodeURIComponent(id)}/jobs`;
  const jobs = await pages.read({ namespace, name: driver.pod.name, port }, path, signal);
  if (!jobs.ok) return msg`The driver did not report who uses the session "${name}".`;
  const users = sessionUsers(jobs.value);
  return users.length === 0
    ? msg`No query has run a job in the session "${name}".`
    : msg`Users of the session "${name}": ${namesFor(users.map((user) => screen.translated(userWords(user))))}.`;
}

function userWords({ name, jobs, isActive }: SessionUser): Message {
  const user = name === "" ? msg("unknown user") : name;
  const count = jobs === 1 ? msg("1 job") : msg`${jobs} jobs`;
  return isActive ? msg`${user} (${count}, a query is running)` : msg`${user} (${count})`;
}
