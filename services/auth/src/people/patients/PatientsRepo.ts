import { type Provenance, recorded } from "@care/audit"
import { type Enrollment, PhoneNumberTaken } from "@care/domain/auth"
import { KnownAddress } from "@care/domain/http"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { execute, onViolation, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { PersonRow, personColumns } from "../personRow.ts"
import { addressOf, CompletedRecord, type completionOf, KnownParts } from "./completionOf.ts"

const people = rowsOf(PersonRow)
const addresses = rowsOf(Schema.Struct({ ...KnownAddress.fields, reportedAt: Schema.Date }))
const knownPatients = rowsOf(Schema.Struct({ ...PersonRow.fields, known: KnownParts, isPhoneTaken: Schema.Boolean }))
const records = rowsOf(CompletedRecord)
const loginOwners = rowsOf(Schema.Struct({ id: UserId }))

export const makePatientsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const isPhoneTaken = (organizationId: OrganizationId, phoneNumber: string | null) => sql`EXISTS (
    SELECT FROM users other
    WHERE other.organization_id = ${organizationId} AND other.phone_number = ${phoneNumber}
      AND other.deleted_at IS NULL AND other.id <> u.id
  )`

  const known = sql`jsonb_build_object(
    'phoneNumber', phone_number, 'dob', dob, 'gender', gender, 'languagePreferences', language_preferences, 'address', address,
    'address2', address2, 'city', city, 'state', state, 'country', country, 'postalCode', postal_code
  ) AS known`

  const person = sql.literal(personColumns)

  const insertInto = (enrollments: ReadonlyArray<Enrollment>, now: Date) => {
    const rows = enrollments.map(({ newUserId, organizationId, patient }) => ({
      ...patient,
      ...addressOf(patient),
      organizationId,
      id: newUserId
    }))
    return sql`
      INSERT INTO users (
        organization_id, id, email, first_name, last_name, role, phone_number, dob, gender, language_preferences,
        address, address2, city, state, country, postal_code, created_at, updated_at
      )
      SELECT "organizationId", id, email, "firstName", "lastName", 'USER', "phoneNumber", dob, gender, "languagePreferences",
             address, address2, city, state, country, "postalCode", ${now}::timestamptz, ${now}::timestamptz
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS enrolled (
        "organizationId" uuid, id uuid, email text, "firstName" text, "lastName" text, "phoneNumber" text, dob date,
        gender text, "languagePreferences" text[], address text, address2 text, city text, state text, country text,
        "postalCode" text
      )
      ORDER BY "organizationId", email
    `
  }

  const recordedIn = (provenance: Provenance) =>
    recorded(sql, sql`SELECT organization_id, NULL::uuid AS case_id, id AS user_id FROM enrolled`, {
      action: "PATIENT_ENROLLED",
      ...provenance
    })

  return {
    /** Stores a new patient. Returns none if a user of the organization has the email, or the id is taken. */
    insert: (enrollment: Enrollment, provenance: Provenance) =>
      people.first(
        sql`
          WITH enrolled AS (
            ${insertInto([enrollment], provenance.now)}
            ON CONFLICT (organization_id, email) WHERE deleted_at IS NULL DO NOTHING
            RETURNING *
          ), ${recordedIn(provenance)}
          SELECT ${person} FROM enrolled
        `.pipe(
          onViolation("users_pkey", () => Effect.succeed([])),
          onViolation("users_phone_number", () => new PhoneNumberTaken())
        )
      ),

    /** Stores the patients whose id, email and phone number are all new. Returns their records. */
    insertNew: (enrollments: ReadonlyArray<Enrollment>, provenance: Provenance) =>
      people.all(sql`
        WITH enrolled AS (${insertInto(enrollments, provenance.now)} ON CONFLICT DO NOTHING RETURNING *), ${recordedIn(provenance)}
        SELECT ${person} FROM enrolled
      `),

    /** Returns the organization's user with this email, and whether somebody else has the phone number. */
    findKnown: ({ organizationId, patient }: Enrollment) =>
      knownPatients.first(sql`
        SELECT ${person}, ${known}, ${isPhoneTaken(organizationId, patient.phoneNumber ?? null)} AS is_phone_taken
        FROM users u WHERE organization_id = ${organizationId} AND email = ${patient.email} AND deleted_at IS NULL
      `),

    /** Locks a patient's record until the transaction ends, and returns what a completion may change of it. */
    lock: (organizationId: OrganizationId, id: UserId, phoneNumber: string | undefined) =>
      records.first(sql`
        SELECT ${known}, first_name, last_name, name_reported_at, address_reported_at, version,
               ${isPhoneTaken(organizationId, phoneNumber ?? null)} AS is_phone_taken
        FROM users u WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
        FOR UPDATE OF u
      `),

    /** Stores what a completion makes of a patient's record. */
    complete: (organizationId: OrganizationId, id: UserId, changes: ReturnType<typeof completionOf>, now: Date) =>
      execute(sql`
        UPDATE users SET ${sql.update(changes)}, updated_at = ${now}, version = version + 1
        WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    /** Returns none while no street is known. An address of the enrollment was reported when the record was created. */
    address: (organizationId: OrganizationId, id: UserId) =>
      addresses.first(sql`
        SELECT address AS address_line1, address2 AS address_line2, city, state, country, postal_code,
               coalesce(address_reported_at, created_at) AS reported_at
        FROM users
        WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL AND address IS NOT NULL
      `),

    /**
     * Gives a patient a login, unless they have one or the email is the login of another living user of the organization. The lock
     * on the user serializes it with an erasure. The login of a deleted user is taken over: found before, because a distributed
     * database reads no other table in the condition of a conflict.
     */
    addLogin: Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      id: UserId,
      passwordHash: string,
      now: Date
    ) {
      const deletedOwner = yield* loginOwners.first(sql`
        SELECT deleted.id FROM users u
        JOIN credentials c ON c.organization_id = u.organization_id AND c.login_email = u.email
        JOIN users deleted ON deleted.organization_id = u.organization_id AND deleted.id = c.user_id
        WHERE u.organization_id = ${organizationId} AND u.id = ${id} AND deleted.deleted_at IS NOT NULL
      `)
      yield* execute(sql`
        INSERT INTO credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
        SELECT u.organization_id, u.email, u.id, ${passwordHash}, ${now}::timestamptz, ${now}::timestamptz
        FROM users u
        WHERE u.organization_id = ${organizationId} AND u.id = ${id} AND u.deleted_at IS NULL AND NOT EXISTS (
          SELECT FROM credentials c WHERE c.organization_id = u.organization_id AND c.user_id = u.id
        )
        FOR KEY SHARE OF u
        ON CONFLICT (organization_id, login_email) DO UPDATE
        SET user_id = excluded.user_id, password_hash = excluded.password_hash, updated_at = excluded.updated_at
        WHERE credentials.user_id = ${Option.getOrNull(deletedOwner)?.id ?? null}::uuid
      `)
    })
  }
})
