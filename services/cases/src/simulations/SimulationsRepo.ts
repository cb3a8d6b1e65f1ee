import { CaseStatus } from "@care/domain/cases"
import { type CaseId, type OrganizationId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const cases = rowsOf(
  Schema.Struct({ userId: UserId, status: CaseStatus, isArchived: Schema.Boolean, assignedTo: Schema.NullOr(UserId) })
)

export const makeSimulationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Lets the simulations of a case run one after the other, until the transaction ends. */
    lock: (caseId: CaseId) => execute(sql`SELECT pg_advisory_xact_lock(hashtext('simulation'), hashtext(${caseId}))`),

    findCase: (organizationId: OrganizationId, id: CaseId) =>
      cases.first(sql`
        SELECT user_id, status, is_archived, assigned_to FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    failWebhooks: (organizationId: OrganizationId, until: Date) =>
      execute(sql`
        UPDATE test_organizations SET webhooks_fail_until = ${until} WHERE organization_id = ${organizationId}
      `)
  }
})
