/** Prefix of the message in every log line of a simulated container. */
export const simulationMark = "[simulation]";
