import { verbatim } from "../../base/message.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { JvmProgram, JvmPrograms } from "../../engine/ports/files.ts";
import { absolutePath } from "../../spark/submit/arguments/localPath.ts";
import { jvmLanguageOf } from "../../spark/submit/jvm/mainClass.ts";
import { problems } from "../../spark/submit/plan/problems.ts";
import type { SubmissionFinding } from "../../spark/submit/plan/submissionFinding.ts";
import type { RunProfile } from "../../spark/submit/profile/runProfile.ts";

export interface BuiltPlace {
  readonly jvm: JvmPrograms;
  readonly workingDirectory: string;
}

type Findings = readonly SubmissionFinding[];

/** Finds the project of a profile whose application is a Scala or Java file; undefined for other applications. */
export async function programOfSource(
  { application }: Pick<RunProfile, "application">,
  { jvm, workingDirectory }: BuiltPlace,
): Promise<Result<JvmProgram | undefined, Findings>> {
  if (jvmLanguageOf(application) === undefined || /^[a-z][a-z0-9+.-]+:/i.test(application)) {
    return ok(undefined);
  }
  const path = absolutePath(application, workingDirectory);
  const found = await jvm.find(path, workingDirectory);
  return found.ok
    ? found
    : err([problems.cannotSend(found.error.path, verbatim(found.error.detail.replace(/\.$/, "")))]);
}

/** Returns the profile with the jar of the last build in place of its Scala or Java file. Builds nothing. */
export async function withBuiltJar(
  profile: RunProfile,
  place: BuiltPlace,
): Promise<Result<RunProfile, Findings>> {
  const program = await programOfSource(profile, place);
  if (!program.ok) return program;
  if (program.value === undefined) return ok(profile);
  const built = await place.jvm.built(program.value, profile.artifact);
  if (!built.ok) return err([problems.notBuilt(built.error.path, verbatim(built.error.detail))]);
  const { jar, dependencies } = built.value;
  const jars = [...(profile.jars ?? []), ...dependencies];
  return ok({
    ...profile,
    application: jar,
    class: profile.class ?? program.value.mainClass,
    ...(jars.length === 0 ? {} : { jars }),
  });
}
