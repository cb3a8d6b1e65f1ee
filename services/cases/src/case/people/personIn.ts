import type { UserSummary } from "@care/domain/auth"
import type { UserId } from "@care/domain/ids"

/** Finds people among those who were asked for. Whoever is named by what a case has is known: one who is not is a defect. */
export const personIn =
  (people: ReadonlyMap<UserId, UserSummary>) =>
  (id: UserId): UserSummary => {
    const summary = people.get(id)
    if (summary === undefined) throw new Error(`auth does not know the user ${id}`)
    return summary
  }
