/** Where the counts of the dashboard end: 1000 means 1000 or more, so that a count costs the same however much is stored. */
export const maxCounted = 1000
