export const dayMillis = 86_400_000

/** Returns when the day (UTC) of a time begins. */
export const dayOf = (at: Date): Date => new Date(at.getTime() - (at.getTime() % dayMillis))
