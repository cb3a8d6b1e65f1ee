import type { UserSummary } from "@care/domain/auth"
import type { UserId } from "@care/domain/ids"

/** Returns a function that finds a person by id. Cases name only people whom auth knows, so a missing one is a defect. */
export const personIn =
  (people: ReadonlyMap<UserId, UserSummary>) =>
  (id: UserId): UserSummary => {
    const summary = people.get(id)
    if (summary === undefined) throw new Error(`auth does not know the user ${id}`)
    return summary
  }
