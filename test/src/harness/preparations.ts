import { Effect } from "effect"
import { inDatabase } from "./database.ts"
import type { Clinic } from "./fixtures.ts"
import { until } from "./until.ts"

/** Makes the pending preparation checks of an organization due now, and waits until they have run. They check that the cases exist. */
export const checkPreparations = ({ organizationId }: Clinic) =>
  inDatabase(
    "payments",
    Effect.fnUntraced(function* (sql) {
      const checks = yield* sql<{ id: string }>`
        UPDATE payments.jobs SET due_at = now()
        WHERE organization_id = ${organizationId} AND queue_name = 'preparation-check' AND state = 'pending'
        RETURNING id
      `
      const ids = checks.map(({ id }) => id)
      yield* until(
        sql`SELECT id FROM payments.jobs WHERE id = ANY(${ids}::uuid[]) AND state IN ('pending', 'running')`,
        (left) => left.length === 0
      )
    })
  )
