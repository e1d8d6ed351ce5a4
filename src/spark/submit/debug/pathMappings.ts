import { listParts } from "../../conf/values/javaText.ts";
import { localPathOf } from "../code/codeRequest.ts";
import { codeDirectory, workDirectory } from "../code/sentCode.ts";
import { valueOf } from "../conf/conf.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";

/** A file on this machine and its path in the debugged process. */
export interface PathMapping {
  readonly localRoot: string;
  readonly remoteRoot: string;
}

/**
 * Returns the mappings of a debugged Python process. The likelier path of each file comes first, because a breakpoint
 * is set at the first one only. Each file has its own mapping: debugpy prefers a folder's mapping to that of a file in
 * it.
 */
export function pathMappings({
  code,
  conf,
  debug,
}: Pick<SubmissionPlan, "code" | "conf" | "debug">): readonly PathMapping[] {
  // The driver imports modules from the mount, an executor from its copy.
  const folders =
    debug?.target === "executor" ? [workDirectory, codeDirectory] : [codeDirectory, workDirectory];
  const listed = listParts(valueOf(conf, "spark.submit.pyFiles") ?? "").map(localPathOf);
  return (code?.files ?? []).flatMap(({ name, role, members }) => {
    if (role.kind === "modules") {
      return members.flatMap((member) =>
        folders.map((folder) => ({
          localRoot: member.path,
          remoteRoot: `${folder}/${name}/${member.name}`,
        })),
      );
    }
    if (role.kind !== "requested" || !name.endsWith(".py")) return [];
    // The main file is never copied. In executors its functions keep the driver's path.
    const own = listed.includes(role.path) ? folders : [codeDirectory];
    return own.map((folder) => ({ localRoot: role.path, remoteRoot: `${folder}/${name}` }));
  });
}
