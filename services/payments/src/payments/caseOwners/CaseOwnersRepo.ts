import { type CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Owner = Schema.Struct({ organizationId: OrganizationId, userId: UserId })
type Owner = typeof Owner.Type

const owners = rowsOf(Owner)

export const makeCaseOwnersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    find: (organizationId: OrganizationId, caseId: CaseId) =>
      owners.first(sql`
        SELECT organization_id, user_id FROM case_owners
        WHERE organization_id = ${organizationId} AND case_id = ${caseId}
      `),

    insert: ({ organizationId, userId }: Owner, caseId: CaseId) =>
      execute(sql`
        INSERT INTO case_owners (organization_id, case_id, user_id) VALUES (${organizationId}, ${caseId}, ${userId})
        ON CONFLICT (organization_id, case_id) DO NOTHING
      `)
  }
})
