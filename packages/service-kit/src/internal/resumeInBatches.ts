const mostMillis = 5

/**
 * Lets many go on who waited for the same: all at once when each has little to do, which is what they were brought together for, and
 * otherwise for a few milliseconds at a stretch, so that whoever else is there gets a turn in between.
 */
export const resumeInBatches = <A>(all: ReadonlyArray<A>, goOn: (one: A) => void): void => {
  const start = performance.now()
  for (const [index, one] of all.entries()) {
    if (performance.now() - start > mostMillis) {
      setImmediate(() => resumeInBatches(all.slice(index), goOn))
      return
    }
    goOn(one)
  }
}
