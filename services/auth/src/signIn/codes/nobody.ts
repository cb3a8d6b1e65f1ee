import { randomInt } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"

const nobodies = 64

/**
 * One of the 64 rows of nobody in the tables of codes, picked at random so that they do not queue up behind one another.
 * What has no patient to be counted on is counted on one of them, so that it costs the same.
 */
export const someNobody = () => {
  const number = randomInt(nobodies)
  return {
    organizationId: OrganizationId.make("00000000-0000-4000-8000-000000000000"),
    userId: UserId.make(`00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`),
    identifier: "",
    identifierHash: String(number)
  }
}
