import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Patients and staff, each of exactly one organization: the same person at two organizations is two rows. Emails are in
 * lower case, phone numbers in E.164, and both belong to one living user of the organization. A deleted user keeps the row,
 * because cases show who submitted them. Each change increments `version`, by which other services know the newest. What is known of
 * a patient's health is sealed. `address_reported_at` and `name_reported_at` are when a case or a change of the profile last gave the
 * address and the name; null while they are those that the record was created with.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE TABLE users (
      organization_id uuid NOT NULL REFERENCES organizations (id),
      id uuid NOT NULL,
      email text NOT NULL,
      first_name text NOT NULL,
      last_name text NOT NULL,
      role text NOT NULL,
      phone_number text,
      dob date,
      gender text,
      language_preferences text[],
      address text,
      address2 text,
      city text,
      state text,
      country text,
      postal_code text,
      allergies text,
      current_medications text,
      health_conditions text,
      sms_notifications_disabled boolean NOT NULL DEFAULT false,
      notifications_disabled boolean NOT NULL DEFAULT false,
      title text,
      title_suffix text,
      npi text,
      dea text,
      licensed_states text[] NOT NULL DEFAULT '{}',
      is_active boolean NOT NULL DEFAULT true,
      created_at timestamptz(3) NOT NULL,
      updated_at timestamptz(3) NOT NULL,
      deleted_at timestamptz(3),
      version integer NOT NULL DEFAULT 1,
      address_reported_at timestamptz(3),
      name_reported_at timestamptz(3),
      PRIMARY KEY (organization_id, id)
    )
  `
  yield* sql`CREATE UNIQUE INDEX users_email ON users (organization_id, email) WHERE deleted_at IS NULL`
  yield* sql`CREATE UNIQUE INDEX users_phone_number ON users (organization_id, phone_number) WHERE deleted_at IS NULL`
  yield* sql`
    CREATE INDEX users_providers ON users (organization_id, id)
    WHERE role = 'PROVIDER' AND is_active AND deleted_at IS NULL
  `
  // The people of an organization without a contact address who get its messages.
  yield* sql`
    CREATE INDEX users_administrators ON users (organization_id, id)
    WHERE role = 'ADMIN' AND is_active AND deleted_at IS NULL
  `
  // For the look-ups that name no organization: whether an identifier exists anywhere, and the operator's paths.
  yield* sql`CREATE INDEX users_anywhere_by_email ON users (email) WHERE deleted_at IS NULL`
  yield* sql`CREATE INDEX users_anywhere_by_phone_number ON users (phone_number) WHERE deleted_at IS NULL`
  yield* sql`CREATE INDEX users_anywhere_by_id ON users (id)`
})
