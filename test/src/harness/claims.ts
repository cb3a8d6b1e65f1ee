import { Effect } from "effect"
import { inDatabase } from "./database.ts"
import type { Clinic } from "./fixtures.ts"
import { until } from "./until.ts"

/** The cases of an organization, as they are stored. */
export const casesOf = ({ organizationId }: Clinic) =>
  inDatabase(
    (sql) => sql<{ id: string; user_id: string }>`
      SELECT id, user_id FROM cases.cases WHERE organization_id = ${organizationId}
    `
  )

/** What cases keeps under the key of an organization that uses one: the ids of what will be made, and the answer when it has been. */
export const claimOf = ({ organizationId }: Clinic) =>
  inDatabase(
    (sql) => sql<{ ids: { caseId: string; formResponseId?: string; newUserId: string }; answer: string | null }>`
      SELECT ids, answer FROM cases.idempotency_keys WHERE organization_id = ${organizationId}
    `
  )

/** Does something while no case can be stored; whoever tries waits. */
export const whileCasesAreLocked = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  inDatabase((sql) => sql.withTransaction(Effect.andThen(sql`LOCK TABLE cases.cases IN EXCLUSIVE MODE`, body)))

/** Waits until somebody waits to store a case. */
export const somebodyWaits = inDatabase((sql) =>
  until(
    // Tables of databases with one template have one oid.
    sql`
      SELECT pid FROM pg_locks WHERE relation = 'cases.cases'::regclass AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    `,
    (waiting) => waiting.length > 0
  )
)
