/** On every pod that is only acted: whoever shows it can say so. */
export const rehearsalLabel = "spark-k8s.sandbox/rehearsal";

/** In every line that an actor prints. */
export const rehearsalMark = "[rehearsal]";
