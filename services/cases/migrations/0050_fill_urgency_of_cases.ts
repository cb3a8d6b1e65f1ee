import { OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Stores what makes the cases urgent that are stored already, a thousand at a time. */
export default new OutsideTransaction(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const escalated = sql<{ id: string }>`
      WITH missing AS (
        SELECT DISTINCT cases.organization_id, cases.id FROM escalations
        JOIN cases ON cases.organization_id = escalations.organization_id AND cases.id = escalations.case_id
        WHERE NOT is_completed AND NOT has_open_escalation
        LIMIT 1000
      )
      UPDATE cases SET has_open_escalation = true FROM missing
      WHERE cases.organization_id = missing.organization_id AND cases.id = missing.id
      RETURNING cases.id
    `
    const due = sql<{ id: string }>`
      WITH missing AS (
        SELECT cases.organization_id, cases.id, min(due_date) AS due_date FROM case_products
        JOIN cases ON cases.organization_id = case_products.organization_id AND cases.id = case_products.case_id
        WHERE case_products.status = 'OPEN' AND due_date IS NOT NULL AND due_on IS NULL
        GROUP BY cases.organization_id, cases.id
        LIMIT 1000
      )
      UPDATE cases SET due_on = missing.due_date FROM missing
      WHERE cases.organization_id = missing.organization_id AND cases.id = missing.id
      RETURNING cases.id
    `
    for (const fill of [escalated, due]) {
      while ((yield* fill).length > 0);
    }
  })
)
