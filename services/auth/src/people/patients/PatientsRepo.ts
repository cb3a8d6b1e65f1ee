import { type Provenance, recorded } from "@care/audit"
import { type Enrollment, type PatientCompletion, type PatientDetails, PhoneNumberTaken } from "@care/domain/auth"
import { KnownAddress } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { affects, execute, onViolation, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { PersonRow, personColumns } from "../personRow.ts"

const people = rowsOf(PersonRow)
const addresses = rowsOf(Schema.Struct({ ...KnownAddress.fields, reportedAt: Schema.Date }))
const knownPatients = rowsOf(
  Schema.Struct({
    ...PersonRow.fields,
    isPhoneTaken: Schema.Boolean,
    isIncomplete: Schema.Boolean,
    isFresh: Schema.Boolean
  })
)

/** What is told of a patient once their case is stored. */
type Completion = Pick<PatientCompletion, "organizationId" | "userId" | "isFirst" | "nameReportedAt"> & {
  readonly patient: PatientDetails
}

const addressColumns = (patient: PatientDetails) => ({
  address: patient.address?.addressLine1 ?? null,
  address2: patient.address?.addressLine2 ?? null,
  city: patient.address?.city ?? null,
  state: patient.address?.state ?? null,
  country: patient.address?.country ?? null,
  postalCode: patient.address?.postalCode ?? null
})

export const makePatientsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const isPhoneTaken = (organizationId: OrganizationId, phoneNumber: string | null) => sql`EXISTS (
    SELECT FROM users other
    WHERE other.organization_id = ${organizationId} AND other.phone_number = ${phoneNumber}
      AND other.deleted_at IS NULL AND other.id <> u.id
  )`

  // A record has one place: an address is filled in with what it lacks, unless it has a part of another one.
  const fillsAddress = (patient: PatientDetails) => {
    const { address, ...parts } = addressColumns(patient)
    return sql.and([
      sql`address IS NULL`,
      sql`${address}::text IS NOT NULL`,
      ...Object.entries(parts).map(
        ([column, told]) => sql`coalesce(lower(${sql(column)}) = lower(${told}::text), true)`
      )
    ])
  }

  const person = sql.literal(personColumns)

  const insertInto = (enrollments: ReadonlyArray<Enrollment>, now: Date) => {
    const rows = enrollments.map(({ newUserId, organizationId, patient }) => ({
      ...patient,
      ...addressColumns(patient),
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
    /** Stores a new patient. None when the email belongs to somebody of the organization already, or the id is taken. */
    insert: (enrollment: Enrollment, provenance: Provenance) =>
      people.first(
        sql`
          WITH enrolled AS (
            ${insertInto([enrollment], provenance.at)}
            ON CONFLICT (organization_id, email) WHERE deleted_at IS NULL DO NOTHING
            RETURNING *
          ), ${recordedIn(provenance)}
          SELECT ${person} FROM enrolled
        `.pipe(
          onViolation("users_pkey", () => Effect.succeed([])),
          onViolation("users_phone_number", () => new PhoneNumberTaken())
        )
      ),

    /** Stores those patients who are new in every respect: their records. */
    insertNew: (enrollments: ReadonlyArray<Enrollment>, provenance: Provenance) =>
      people.all(sql`
        WITH enrolled AS (${insertInto(enrollments, provenance.at)} ON CONFLICT DO NOTHING RETURNING *), ${recordedIn(provenance)}
        SELECT ${person} FROM enrolled
      `),

    /**
     * The organization's user with this email. `isIncomplete`: the record lacks something that is told of the patient.
     * `isFresh`: somebody else's enrollment made it since then, and nobody has changed it.
     */
    findKnown: ({ newUserId, organizationId, patient }: Enrollment, since: Date) =>
      knownPatients.first(sql`
        SELECT ${person}, ${isPhoneTaken(organizationId, patient.phoneNumber ?? null)} AS is_phone_taken,
               phone_number IS NULL AND ${patient.phoneNumber !== undefined}::boolean
               OR dob IS NULL AND ${patient.dob !== undefined}::boolean
               OR gender IS NULL AND ${patient.gender !== undefined}::boolean
               OR language_preferences IS NULL AND ${patient.languagePreferences !== undefined}::boolean
               OR ${fillsAddress(patient)} AS is_incomplete,
               version = 1 AND created_at > ${since} AND id <> ${newUserId} AS is_fresh
        FROM users u WHERE organization_id = ${organizationId} AND email = ${patient.email} AND deleted_at IS NULL
      `),

    /**
     * Fills what a patient's record lacks; what it has stays, unless these are the details of their first case and the record
     * is as it was made; a name gives way to one that was told later. False when there is no such patient any more.
     */
    complete: ({ isFirst, nameReportedAt, organizationId, patient, userId }: Completion, now: Date) => {
      const phoneNumber = patient.phoneNumber ?? null
      const replaces = sql`${isFirst}::boolean AND version = 1`
      const reportedAt = sql`${nameReportedAt ?? null}::timestamptz`
      const isNewestName = sql`coalesce(name_reported_at <= ${reportedAt}, ${reportedAt} IS NOT NULL)`
      const renames = sql`(${replaces} OR ${isNewestName})`
      const kept = (column: string) => sql`CASE WHEN NOT (${replaces}) THEN ${sql(column)} END`
      const fills = fillsAddress(patient)
      const address = sql.csv(
        Object.entries(addressColumns(patient)).map(
          ([column, told]) => sql`
            ${sql(column)} = CASE
              WHEN ${replaces} THEN ${told}
              WHEN ${fills} THEN coalesce(${sql(column)}, ${told})
              ELSE ${sql(column)}
            END
          `
        )
      )
      return affects(sql`
        UPDATE users u SET
          first_name = CASE WHEN ${renames} THEN ${patient.firstName} ELSE first_name END,
          last_name = CASE WHEN ${renames} THEN ${patient.lastName} ELSE last_name END,
          name_reported_at = CASE WHEN ${isNewestName} THEN ${reportedAt} ELSE name_reported_at END,
          phone_number = coalesce(${kept("phone_number")}, (
            SELECT ${phoneNumber}::text WHERE NOT ${isPhoneTaken(organizationId, phoneNumber)}
          )),
          dob = coalesce(${kept("dob")}, ${patient.dob ?? null}::date),
          gender = coalesce(${kept("gender")}, ${patient.gender ?? null}),
          language_preferences = coalesce(${kept("language_preferences")}, ${patient.languagePreferences ?? null}::text[]),
          ${address},
          address_reported_at = CASE WHEN NOT (${replaces}) AND ${fills} THEN ${now}::timestamptz ELSE address_reported_at END,
          updated_at = ${now},
          version = version + 1
        WHERE organization_id = ${organizationId} AND id = ${userId} AND deleted_at IS NULL
        RETURNING id
      `)
    },

    /** None while no street is known. What the record was made with is as old as the patient. */
    address: (organizationId: OrganizationId, id: UserId) =>
      addresses.first(sql`
        SELECT address AS address_line1, address2 AS address_line2, city, state, country, postal_code,
               coalesce(address_reported_at, created_at) AS reported_at
        FROM users
        WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL AND address IS NOT NULL
      `),

    /**
     * Gives a patient a login, unless they have one or the email is the login of another living user of the organization. An
     * erasure is waited for, or waits.
     */
    addLogin: (organizationId: OrganizationId, id: UserId, passwordHash: string, now: Date) =>
      execute(sql`
        INSERT INTO credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
        SELECT u.organization_id, u.email, u.id, ${passwordHash}, ${now}::timestamptz, ${now}::timestamptz
        FROM users u
        WHERE u.organization_id = ${organizationId} AND u.id = ${id} AND u.deleted_at IS NULL AND NOT EXISTS (
          SELECT FROM credentials c WHERE c.organization_id = u.organization_id AND c.user_id = u.id
        )
        FOR KEY SHARE OF u
        ON CONFLICT (organization_id, login_email) DO UPDATE
        SET user_id = excluded.user_id, password_hash = excluded.password_hash, updated_at = excluded.updated_at
        WHERE EXISTS (
          SELECT FROM users gone
          WHERE gone.organization_id = credentials.organization_id AND gone.id = credentials.user_id
            AND gone.deleted_at IS NOT NULL
        )
      `)
  }
})
