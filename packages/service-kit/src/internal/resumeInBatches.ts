const maxMillis = 5

/** Resumes many waiting fibers for a few milliseconds at a time, and lets other work run in between. */
export const resumeInBatches = <A>(items: ReadonlyArray<A>, resume: (item: A) => void): void => {
  const start = performance.now()
  for (const [index, item] of items.entries()) {
    if (performance.now() - start > maxMillis) {
      setImmediate(() => resumeInBatches(items.slice(index), resume))
      return
    }
    resume(item)
  }
}
