import { msg, verbatim, type Message } from "../../base/message.ts";
import { timeOfDay } from "../../base/timeOfDay.ts";
import { remedyLines, type DocumentLine } from "../remedy/failureDocument.ts";
import { openRemedy } from "../remedy/remedies.ts";
import type { Remedy } from "../remedy/remedy.ts";
import { advise } from "./advise.ts";
import type { Workload } from "./workload.ts";

interface AdviceDocument {
  readonly lines: readonly DocumentLine[];
  /** All fixes of the document. The `remedy` of a line is an index into this list. */
  readonly remedies: readonly Remedy[];
}

/** Returns a document about a running application: findings, the metrics on which they are based, and fixes. */
export function adviceDocument(name: string, workload: Workload): AdviceDocument {
  const found = advise(workload);
  const lines: DocumentLine[] = [];
  const remedies: Remedy[] = [];
  const write = (text: Message): void => void lines.push({ text });
  write(
    msg`Advice for "${name}", based on the metrics of its driver at ${timeOfDay(workload.readAt)}. Stages: ${workload.stages.length}, executors: ${workload.executors.length}.`,
  );
  if (found.length === 0) {
    write(verbatim(""));
    write(msg("The metrics show nothing to improve."));
  }
  for (const { fact, numbers, change, keys, remedies: own } of found) {
    write(verbatim(""));
    write(fact);
    for (const text of [...numbers, change, msg`Conf: ${keys.join(", ")}`]) write(msg`  ${text}`);
    const [key] = keys;
    const offered = own.length > 0 || key === undefined ? own : [openRemedy(key)];
    offered.forEach((remedy, index) => {
      for (const { text, remedy: begins } of remedyLines(remedy, index, workload)) {
        lines.push(begins === undefined ? { text } : { text, remedy: remedies.length });
      }
      remedies.push(remedy);
    });
  }
  return { lines, remedies };
}
