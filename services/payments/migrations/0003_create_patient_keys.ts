import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The data keys of the service's patients, each wrapped by a key of `PHI_KEY`. A key is found by its patient, or by the id that is
 * stored with what it sealed. `wrapped` is NULL once the patient was erased: the row stays, so that no other key is made.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE patient_keys (
      organization_id uuid NOT NULL,
      user_id uuid NOT NULL,
      id text NOT NULL,
      wrapped text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      erased_at timestamptz(3),
      CHECK ((wrapped IS NULL) = (erased_at IS NOT NULL)),
      PRIMARY KEY (organization_id, user_id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX patient_keys_by_id ON patient_keys (organization_id, id)`
})
