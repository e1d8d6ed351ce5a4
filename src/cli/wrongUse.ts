/** Wrong command-line usage; the message is for the user. */
export class WrongUse extends Error {}
