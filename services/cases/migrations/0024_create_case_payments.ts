import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The status of each payment of a case, as payments last sent it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_payments (
      organization_id uuid NOT NULL,
      payment_id uuid NOT NULL,
      case_id uuid NOT NULL,
      status text NOT NULL,
      outcome text,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, payment_id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX case_payments_by_case ON case_payments (organization_id, case_id)`
})
