import { inEnglish, msg, type Message } from "../../../base/message.ts";
import { textAt } from "../../../base/json.ts";
import { containersOf } from "../preview/podParts.ts";
import type { SubmissionPlan } from "../plan/submissionPlan.ts";
import { planPods, type PlanPod } from "./planPods.ts";
import { preflightWords, type PreflightFinding } from "./preflightFinding.ts";

const maxRepositoryLength = 255;

/** Checks the names of the driver's and the executors' images. */
export function checkImages(plan: SubmissionPlan): readonly PreflightFinding[] {
  const findings = planPods(plan).flatMap(({ user, manifest }) =>
    containersOf(manifest).flatMap((container) => {
      const image = textAt(container, "image") ?? "";
      const isAlways = textAt(container, "imagePullPolicy") === "Always";
      const key = keyOf(plan, user);
      const why = imageNameProblem(image);
      if (why !== undefined) return [preflightWords.badImage(image, why, key)];
      return !isAlways && isFloating(image) ? [preflightWords.floatingImage(image, key)] : [];
    }),
  );
  return [...new Map(findings.map((finding) => [inEnglish(finding.problem), finding])).values()];
}

function keyOf({ conf }: SubmissionPlan, user: PlanPod["user"]): string {
  const own = `spark.kubernetes.${user}.container.image`;
  return conf.has(own) ? own : "spark.kubernetes.container.image";
}

/** Returns the reason why an image name is invalid. Undefined if it is valid. */
export function imageNameProblem(image: string): Message | undefined {
  if (image === "") return msg("it is empty");
  if (/\s/.test(image)) return msg("it has a space");
  if (/[{}$<>]/.test(image)) return msg("it has an unresolved placeholder");
  if (image.includes("://")) return msg("it has a scheme");
  const [named = "", digest, ...more] = image.split("@");
  if (digest !== undefined && (more.length > 0 || !/^[a-z0-9+._-]+:[a-f0-9]{32,}$/i.test(digest))) {
    return msg("the text after the @ is not a digest");
  }
  const { repository, tag } = splitTag(named);
  if (tag !== undefined && !/^\w[\w.-]{0,127}$/.test(tag)) return msg`"${tag}" is not a tag`;
  const parts = repository.split("/");
  const [first = "", ...rest] = parts;
  const hasHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  if (hasHost && !/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::[0-9]{1,5})?$/.test(first)) {
    return msg`"${first}" is not a host`;
  }
  const path = hasHost ? rest : parts;
  if (path.join("/").length > maxRepositoryLength) return msg("it is too long");
  if (path.some((part) => /[A-Z]/.test(part))) return msg("its repository has uppercase letters");
  return path.every((part) => /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/.test(part))
    ? undefined
    : msg("its path has invalid characters");
}

const isFloating = (image: string): boolean => {
  if (image.includes("@")) return false;
  const { tag } = splitTag(image);
  return tag === undefined || tag === "latest";
};

function splitTag(named: string): {
  readonly repository: string;
  readonly tag: string | undefined;
} {
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  return colon < 0
    ? { repository: named, tag: undefined }
    : { repository: named.slice(0, colon), tag: named.slice(colon + 1) };
}
