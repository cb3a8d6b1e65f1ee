interface Row {
  readonly id: string
}

/** What is shown of a list that is read again and again while a person works in it. */
export interface Settled<R extends Row> {
  /** Rows keep their places: those that are no longer in the list stay, and new ones are only added at the end. */
  readonly rows: ReadonlyArray<R>
  /** The rows that are no longer in the list. */
  readonly gone: ReadonlySet<string>
  /** The number of rows that were added at the end. */
  readonly added: number
  /** The number of new rows whose places are between others, and which are not shown yet. */
  readonly held: number
}

/** Returns what to show of the latest rows to a person who sees `shown`. With `hasMore`, rows after the latest ones may be there still. */
export const settled = <R extends Row>(
  shown: ReadonlyArray<R>,
  latest: ReadonlyArray<R>,
  hasMore: boolean
): Settled<R> => {
  const latestById = new Map(latest.map((row) => [row.id, row]))
  const known = new Set(shown.map(({ id }) => id))
  const lastKnown = latest.findLastIndex(({ id }) => known.has(id))
  const added = latest.slice(lastKnown + 1)
  const lastPresent = shown.findLastIndex(({ id }) => latestById.has(id))
  const missing = shown.filter(({ id }, index) => !latestById.has(id) && (!hasMore || index < lastPresent))
  return {
    rows: [...shown.map((row) => latestById.get(row.id) ?? row), ...added],
    gone: new Set(missing.map(({ id }) => id)),
    added: added.length,
    held: latest.length - added.length - shown.filter(({ id }) => latestById.has(id)).length
  }
}
