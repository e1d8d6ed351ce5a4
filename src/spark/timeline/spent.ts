import { dotted, msg, type Message } from "../../base/message.ts";
import type { SpentResources } from "./timeline.ts";

const msAnHour = 3_600_000;

export const coreHoursOf = ({ coreMs }: SpentResources): number => coreMs / msAnHour;
export const gibHoursOf = ({ byteMs }: SpentResources): number => byteMs / msAnHour / 2 ** 30;

/** Describes the resources that pods requested over time: `1.25 core-hours · 4.1 GiB-hours`. */
export const describeSpent = (spent: SpentResources): Message =>
  dotted([
    msg`${shortNumber(coreHoursOf(spent))} core-hours`,
    msg`${shortNumber(gibHoursOf(spent))} GiB-hours`,
  ]);

/** Rounds to three significant digits, or to an integer from 100 on. */
const shortNumber = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
