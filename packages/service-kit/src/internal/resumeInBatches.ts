const mostMillis = 5

/** Resumes many waiting fibers for a few milliseconds at a time, and lets other work run in between. */
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
