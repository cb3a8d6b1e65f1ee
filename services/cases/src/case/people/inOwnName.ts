import { RequestInvalid, StaffRefused } from "@care/domain/http"
import type { UserId } from "@care/domain/ids"
import { currentStaff } from "@care/service-kit"
import { Effect } from "effect"

/**
 * Returns in whose name a request writes, from its optional field. A signed-in person writes in their own name, and is refused to name
 * another. Operators and their machines belong to no organization, so they name one of its members.
 */
export const inOwnName = Effect.fnUntraced(function* (field: string, named: UserId | undefined) {
  const staff = yield* currentStaff
  if (staff === undefined || staff.role === "OPERATOR") {
    return named ?? (yield* RequestInvalid.inPayload(field, "is required, because no member of the staff is signed in"))
  }
  if (named !== undefined && named !== staff.userId) {
    return yield* new StaffRefused({ reason: `${field} is another person. Leave it out, or send your own id.` })
  }
  return staff.userId
})
