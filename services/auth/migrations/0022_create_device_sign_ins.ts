import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Sign-ins of devices, with hashes of both codes. They begin without a person, so they belong to the organization of nobody, and the person
 * who approves one is in columns of its own.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE device_sign_ins (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      device_code_hash text NOT NULL,
      user_code_hash text NOT NULL,
      state text NOT NULL,
      asked_at timestamptz(3) NOT NULL,
      expires_at timestamptz(3) NOT NULL,
      approver_organization_id uuid,
      approver_id uuid,
      stepped_up_at timestamptz(3),
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE INDEX device_sign_ins_by_device_code ON device_sign_ins (organization_id, device_code_hash)`
  yield* sql`CREATE INDEX device_sign_ins_by_user_code ON device_sign_ins (organization_id, user_code_hash)`
  yield* sql`CREATE INDEX device_sign_ins_by_expiry ON device_sign_ins (expires_at)`
})
