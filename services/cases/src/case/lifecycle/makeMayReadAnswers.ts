import { StaffRefused } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { affects, currentStaff } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The refusal of whoever may not read them. */
export const answersRefused = () =>
  new StaffRefused({ reason: "The organization does not let SUPPORT read answers and files." })

/**
 * Makes the function that returns whether the caller may read the answers to forms and the files of an organization's cases. Support may
 * only if the organization allows it.
 */
export const makeMayReadAnswers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return Effect.fnUntraced(function* (organizationId: OrganizationId) {
    if ((yield* currentStaff)?.role !== "SUPPORT") return true
    return yield* affects(sql`
      SELECT organization_id FROM organization_snapshots
      WHERE organization_id = ${organizationId} AND support_may_read_answers
    `)
  })
})
