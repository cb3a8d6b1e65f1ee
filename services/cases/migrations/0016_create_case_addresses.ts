import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The shipping address that the creation of a case gave, sealed. A case that was created without one has no row. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE case_addresses (
      organization_id uuid NOT NULL,
      case_id uuid NOT NULL,
      shipping_address text NOT NULL,
      reported_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, case_id),
      FOREIGN KEY (organization_id, case_id) REFERENCES cases (organization_id, id)
    )
  `
})
