/** In every line that an actor prints. */
export const rehearsalMark = "[rehearsal]";
