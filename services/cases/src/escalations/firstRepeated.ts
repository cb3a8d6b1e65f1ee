import type { NewEscalation } from "@care/domain/cases"

/** The first of some escalations that has the type and title of one before it. */
export const firstRepeated = (asked: ReadonlyArray<NewEscalation>): NewEscalation | undefined => {
  const seen = new Set<string>()
  return asked.find(({ title, type }) => {
    const known = seen.size
    return seen.add(`${type} / ${title}`).size === known
  })
}
