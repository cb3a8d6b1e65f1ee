/**
 * The version of the suite: a number that each release with new migrations raises by one. A migration is recorded with the version that ran
 * it.
 */
export const suiteVersion = 2
