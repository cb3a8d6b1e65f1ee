import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What is known of a patient's health is sealed (AES-256-GCM, key id in the value). */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE users
      ADD COLUMN allergies text,
      ADD COLUMN current_medications text,
      ADD COLUMN health_conditions text,
      ADD COLUMN sms_notifications_disabled boolean NOT NULL DEFAULT false,
      ADD COLUMN notifications_disabled boolean NOT NULL DEFAULT false
  `
})
