import { Effect } from "effect"
import { inDatabase } from "./database.ts"
import type { Clinic } from "./fixtures.ts"
import { until } from "./until.ts"

/** Reads the stored cases of an organization. */
export const casesOf = ({ organizationId }: Clinic) =>
  inDatabase(
    "cases",
    (sql) => sql<{ id: string; user_id: string }>`
      SELECT id, user_id FROM cases.cases WHERE organization_id = ${organizationId}
    `
  )

/** Reads the idempotency keys of an organization in the cases service: the reserved ids, and the answer once it is stored. */
export const claimOf = ({ organizationId }: Clinic) =>
  inDatabase(
    "cases",
    (sql) => sql<{ ids: { caseId: string; formResponseId?: string; newUserId: string }; answer: string | null }>`
      SELECT ids, answer FROM cases.idempotency_keys WHERE organization_id = ${organizationId}
    `
  )

/** Runs an effect while inserts of cases are blocked by a table lock. */
export const whileCasesAreLocked = <A, E, R>(body: Effect.Effect<A, E, R>) =>
  inDatabase("cases", (sql) => sql.withTransaction(Effect.andThen(sql`LOCK TABLE cases.cases IN EXCLUSIVE MODE`, body)))

/** Waits until an insert of a case waits for that lock. */
export const untilCaseInsertWaits = inDatabase("cases", (sql) =>
  until(
    // With the database, because tables of databases cloned from one template have the same oid.
    sql`
      SELECT pid FROM pg_locks WHERE relation = 'cases.cases'::regclass AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    `,
    (waiting) => waiting.length > 0
  )
)
