/** How requests are answered: stored in the request log; while the share of the day is full; or without a request log. */
export const waysToAnswer = ["stored", "full", "not logged"] as const
export type WayToAnswer = (typeof waysToAnswer)[number]
