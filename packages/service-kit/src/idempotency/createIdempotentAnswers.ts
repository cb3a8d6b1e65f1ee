import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Migration of a service with `Idempotent` endpoints: what was answered under an `Idempotency-Key`, sealed. */
export const createIdempotentAnswers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE idempotent_answers (
      organization_id uuid NOT NULL,
      operation text NOT NULL,
      key text NOT NULL,
      body_hash text NOT NULL,
      answer text,
      created_at timestamptz(3) NOT NULL,
      PRIMARY KEY (organization_id, operation, key)
    )
  `
  yield* sql`CREATE INDEX idempotent_answers_by_creation ON idempotent_answers (created_at)`
})
