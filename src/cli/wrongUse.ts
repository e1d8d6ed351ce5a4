/** The command line is invalid. The message is for the user. */
export class WrongUse extends Error {}
