/** Prefix of every log line of a simulated container. */
export const simulationMark = "[simulation]";
