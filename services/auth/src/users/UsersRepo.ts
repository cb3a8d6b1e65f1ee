import { Communication, Gender, PhoneNumberTaken, Profile } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute, onViolation, rowsOf } from "@care/service-kit"
import { Data, Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"

const { communication: _, ...shown } = Profile.fields

const text = Schema.NullOr(Schema.String)

/** A user as they are stored. */
export const UserRow = sealedRow("users", ["organizationId", "id"], {
  ...shown,
  ...Communication.fields,
  organizationId: OrganizationId,
  phoneNumber: text,
  gender: Schema.NullOr(Gender),
  address: text,
  city: text,
  state: text,
  country: text,
  postalCode: text,
  allergies: sealed(text),
  currentMedications: sealed(text),
  healthConditions: sealed(text),
  dob: text,
  languagePreferences: Schema.NullOr(Schema.Array(Schema.String)),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type UserRow = OpenedRow<typeof UserRow>

/** Columns of a profile that change; undefined ones stay. */
type UserChange = {
  readonly [Column in Exclude<keyof UserRow, "organizationId" | "id" | "email" | "role" | "isActive" | "createdAt">]?:
    | UserRow[Column]
    | undefined
}

const addressParts = ["address", "address2", "city", "state", "country", "postalCode"] as const

const FoundUser = Schema.Struct({ id: UserId, createdAt: Schema.Date, isOwn: Schema.Boolean })

/** A user who was looked up in all organizations; `isOwn` is one of the organization that asks. */
export type FoundUser = typeof FoundUser.Type

/** Another email for the patient who has this one. */
export interface EmailMove {
  readonly currentEmail: string
  readonly newEmail: string
}

/** The new email belongs to somebody, or the patient has moved or gone meanwhile. */
export class EmailInUse extends Data.TaggedError("EmailInUse") {}

const foundUsers = rowsOf(FoundUser)

export const makeUsersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const users = yield* sealedRowsOf(UserRow)

  const columns = sql.literal(`
    organization_id, id, email, first_name, last_name, role, phone_number, to_char(dob, 'YYYY-MM-DD') AS dob, gender,
    address, address2, city, state, country, postal_code, allergies, current_medications, health_conditions,
    language_preferences, sms_notifications_disabled, notifications_disabled, is_active, created_at, updated_at
  `)

  const find = (organizationId: OrganizationId, condition: Statement.Fragment) =>
    users.first(sql`
      SELECT ${columns} FROM users WHERE organization_id = ${organizationId} AND ${condition} AND deleted_at IS NULL
    `)

  // In all organizations, the own first.
  const check = (organizationId: OrganizationId, condition: Statement.Fragment) =>
    foundUsers.first(sql`
      SELECT id, created_at, organization_id = ${organizationId} AS is_own
      FROM users WHERE ${condition} AND deleted_at IS NULL
      ORDER BY is_own DESC, created_at
      LIMIT 1
    `)

  // The unique index of emails is one organization's, and of two moves at once neither would see the other: they take turns. It is a
  // statement of its own, so that the move sees what was committed until its turn came.
  const takeTurn = (newEmail: string) =>
    execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' email ' || ${newEmail}, 0))`)

  // A part alone, and a form that is sent back as it was, tell of no other place.
  const tellsAnotherAddress = (change: UserChange) =>
    change.address === undefined
      ? sql`false`
      : sql.or(
          addressParts.flatMap((part) => {
            const told = change[part]
            return told === undefined ? [] : [sql`${sql(part)} IS DISTINCT FROM ${told}::text`]
          })
        )

  const tellsAnotherName = ({ firstName, lastName }: UserChange) =>
    sql.or([
      ...(firstName === undefined ? [] : [sql`first_name IS DISTINCT FROM ${firstName}::text`]),
      ...(lastName === undefined ? [] : [sql`last_name IS DISTINCT FROM ${lastName}::text`]),
      sql`false`
    ])

  return {
    findByEmail: (organizationId: OrganizationId, email: string) => find(organizationId, sql`email = ${email}`),

    findById: (organizationId: OrganizationId, id: UserId) => find(organizationId, sql`id = ${id}`),

    /** Changes a patient. None when there is no such patient any more. */
    update: (key: PatientKey, organizationId: OrganizationId, id: UserId, change: UserChange, now: Date) =>
      users.first(
        sql`
          UPDATE users
          SET ${sql.update(users.seal(key, { ...change, organizationId, id, updatedAt: now }), ["organizationId", "id"])},
              name_told_at = CASE WHEN ${tellsAnotherName(change)} THEN ${now}::timestamptz ELSE name_told_at END,
              address_told_at = CASE WHEN ${tellsAnotherAddress(change)} THEN ${now}::timestamptz ELSE address_told_at END,
              version = version + 1
          WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
          RETURNING ${columns}
        `.pipe(onViolation("users_phone_number", () => new PhoneNumberTaken()))
      ),

    /**
     * Moves a patient and their login to a new email, which must be nobody's in any organization, and nobody else's login
     * in this one. Of moves to one email each waits until the transaction of the one before ends.
     */
    moveEmail: (organizationId: OrganizationId, id: UserId, { currentEmail, newEmail }: EmailMove, now: Date) =>
      users
        .first(
          Effect.andThen(
            takeTurn(newEmail),
            sql`
              WITH moved AS (
                UPDATE users u SET email = ${newEmail}, updated_at = ${now}, version = version + 1
                WHERE u.organization_id = ${organizationId} AND u.id = ${id} AND u.email = ${currentEmail}
                  AND u.deleted_at IS NULL
                  AND NOT EXISTS (SELECT FROM users other WHERE other.email = ${newEmail} AND other.deleted_at IS NULL)
                  AND NOT EXISTS (
                    SELECT FROM credentials c
                    WHERE c.organization_id = ${organizationId} AND c.login_email = ${newEmail} AND c.user_id <> u.id
                  )
                RETURNING *
              ), login AS (
                UPDATE credentials c SET login_email = ${newEmail}, updated_at = ${now} FROM moved
                WHERE c.organization_id = ${organizationId} AND c.user_id = moved.id
              )
              SELECT ${columns} FROM moved
            `.pipe(onViolation("users_email", () => new EmailInUse()))
          )
        )
        .pipe(Effect.flatMap((moved) => Effect.fromOption(moved, () => new EmailInUse()))),

    checkEmail: (organizationId: OrganizationId, email: string) => check(organizationId, sql`email = ${email}`),

    checkPhoneNumber: (organizationId: OrganizationId, phoneNumber: string) =>
      check(organizationId, sql`phone_number = ${phoneNumber}`)
  }
})
