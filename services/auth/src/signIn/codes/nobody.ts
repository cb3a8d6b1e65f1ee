import { randomInt } from "node:crypto"
import { nobodysId, UserId } from "@care/domain/ids"

const nobodies = 64

/**
 * Returns one of 64 placeholder rows in the tables of codes, at random, so that parallel requests do not wait for one row. Requests without
 * a patient are counted there, at the same cost.
 */
export const someNobody = () => {
  const number = randomInt(nobodies)
  return {
    organizationId: nobodysId,
    userId: UserId.make(`00000000-0000-4000-8000-${number.toString(16).padStart(12, "0")}`),
    identifier: "",
    identifierHash: String(number)
  }
}
