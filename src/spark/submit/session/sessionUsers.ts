import { itemsOf, textAt, textOf } from "../../../base/json.ts";

/** A user whose queries ran jobs in a session. */
export interface SessionUser {
  /** The name that the client reports. Empty if the client reports none. */
  readonly name: string;
  readonly jobs: number;
  /** True while one of the jobs runs. */
  readonly isActive: boolean;
}

// Spark Connect tags each job with its user. Spark 3.5 and later list the tags.
const tag = /^SparkConnect_OperationTag_User_(.*)_Session_[0-9a-fA-F-]{36}_Operation_/s;

/** Finds the users of a session in the jobs of the driver's REST API. Sorted by name. */
export function sessionUsers(jobs: unknown): readonly SessionUser[] {
  const users = new Map<string, SessionUser>();
  for (const job of itemsOf(jobs)) {
    const name = userOf(job);
    if (name === undefined) continue;
    const before = users.get(name);
    users.set(name, {
      name,
      jobs: (before?.jobs ?? 0) + 1,
      isActive: before?.isActive === true || textAt(job, "status") === "RUNNING",
    });
  }
  return [...users.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function userOf(job: unknown): string | undefined {
  const tags = typeof job === "object" && job !== null && "jobTags" in job ? job.jobTags : [];
  for (const item of itemsOf(tags)) {
    const name = tag.exec(textOf(item) ?? "")?.[1];
    if (name !== undefined) return name;
  }
  return undefined;
}
