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
 * Returns the mappings of a debugged Python process. The likelier path of each file comes first, because debugpy sets a
 * breakpoint only at the first one. Maps files instead of folders, because debugpy prefers the mapping of a folder to
 * that of a file in it.
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
    // Spark does not copy the main file. In executors, its functions keep the path that the file has in the driver.
    const own = listed.includes(role.path) ? folders : [codeDirectory];
    return own.map((folder) => ({ localRoot: role.path, remoteRoot: `${folder}/${name}` }));
  });
}
