import { Communication, Gender, PhoneNumberTaken, Profile, Role, type UserIdentifier } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import {
  erasedEmail,
  type OpenedRow,
  type PatientKey,
  type PatientRef,
  sealed,
  sealedRow,
  sealedRowsOf
} from "@care/phi"
import { affects, execute, inScope, onViolation, rowsOf } from "@care/service-kit"
import { Data, Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { newParts, StoredParts } from "./newParts.ts"

const { communication: _, ...profileFields } = Profile.fields

const text = Schema.NullOr(Schema.String)

/** A row of `users`. */
export const UserRow = sealedRow("users", ["organizationId", "id"], {
  ...profileFields,
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

const FoundUser = Schema.Struct({ id: UserId, createdAt: Schema.Date, isOwn: Schema.Boolean })

/** A user of any organization. `isOwn`: of the organization that asks. */
export type FoundUser = typeof FoundUser.Type

/** A change of a patient's email. */
export interface EmailMove {
  readonly currentEmail: string
  readonly newEmail: string
}

/** The new email belongs to somebody, or the patient was changed or deleted meanwhile. */
export class EmailInUse extends Data.TaggedError("EmailInUse") {}

const foundUsers = rowsOf(FoundUser)
const creations = rowsOf(Schema.Struct({ createdAt: Schema.Date }))
const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId, role: Role }))
const storedParts = rowsOf(StoredParts)
const contacts = rowsOf(Schema.Struct({ email: Schema.String, phoneNumber: Schema.NullOr(Schema.String) }))

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

  // Looks in all organizations, and prefers the caller's.
  const check = (organizationId: OrganizationId, condition: Statement.Fragment) =>
    foundUsers.first(sql`
      SELECT id, created_at, organization_id = ${organizationId} AS is_own
      FROM users WHERE ${condition} AND deleted_at IS NULL
      ORDER BY is_own DESC, created_at
      LIMIT 1
    `)

  // Moves to one email wait for each other: the unique index holds for one organization only. The lock is a statement of its own, so that
  // the move sees what was committed before it got the lock.
  const lockEmail = (newEmail: string) =>
    execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' email ' || ${newEmail}, 0))`)

  return {
    findByEmail: (organizationId: OrganizationId, email: string) => find(organizationId, sql`email = ${email}`),

    findById: (organizationId: OrganizationId, id: UserId) => find(organizationId, sql`id = ${id}`),

    /** Changes a living patient, and returns the changed row. Runs in a transaction. */
    update: Effect.fnUntraced(function* (
      key: PatientKey,
      organizationId: OrganizationId,
      id: UserId,
      change: UserChange,
      now: Date
    ) {
      const stored = yield* storedParts.first(sql`
        SELECT first_name, last_name, address, address2, city, state, country, postal_code FROM users
        WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
        FOR UPDATE
      `)
      if (Option.isNone(stored)) return Option.none<UserRow>()
      const { hasNewAddress, hasNewName } = newParts(stored.value, change)
      const changed = {
        ...users.seal(key, { ...change, organizationId, id, updatedAt: now }),
        ...(hasNewName ? { nameReportedAt: now } : {}),
        ...(hasNewAddress ? { addressReportedAt: now } : {})
      }
      return yield* users.first(
        sql`
          WITH changed AS (
            UPDATE users SET ${sql.update(changed, ["organizationId", "id"])}, version = version + 1
            WHERE organization_id = ${organizationId} AND id = ${id}
            RETURNING *
          )
          SELECT ${columns} FROM changed
        `.pipe(onViolation("users_phone_number", () => new PhoneNumberTaken()))
      )
    }),

    /**
     * Changes the email of a patient and of their login. The new email must be nobody's in any organization, and nobody else's login in
     * this one. Runs in a transaction.
     */
    moveEmail: Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      id: UserId,
      { currentEmail, newEmail }: EmailMove,
      now: Date
    ) {
      yield* lockEmail(newEmail)
      const isTaken = yield* affects(sql`
        SELECT id FROM users WHERE email = ${newEmail} AND deleted_at IS NULL
        UNION ALL
        SELECT user_id FROM credentials
        WHERE organization_id = ${organizationId} AND login_email = ${newEmail} AND user_id <> ${id}
        LIMIT 1
      `)
      if (isTaken) return yield* new EmailInUse()
      const moved = yield* users.first(
        sql`
          WITH moved AS (
            UPDATE users SET email = ${newEmail}, updated_at = ${now}, version = version + 1
            WHERE organization_id = ${organizationId} AND id = ${id} AND email = ${currentEmail} AND deleted_at IS NULL
            RETURNING *
          ), login AS (
            UPDATE credentials c SET login_email = ${newEmail}, updated_at = ${now} FROM moved
            WHERE c.organization_id = ${organizationId} AND c.user_id = moved.id
          )
          SELECT ${columns} FROM moved
        `.pipe(onViolation("users_email", () => new EmailInUse()))
      )
      return yield* Effect.fromOption(moved, () => new EmailInUse())
    }),

    checkEmail: (organizationId: OrganizationId, email: string) => check(organizationId, sql`email = ${email}`),

    checkPhoneNumber: (organizationId: OrganizationId, phoneNumber: string) =>
      check(organizationId, sql`phone_number = ${phoneNumber}`),

    /** Returns when the oldest living user of any organization with this identifier was created. */
    findAnywhere: (identifier: UserIdentifier) => {
      const { email, phoneNumber = null } = identifier
      const condition = email === undefined ? sql`phone_number = ${phoneNumber}` : sql`email = ${email}`
      return creations.first(sql`
        SELECT created_at FROM users WHERE ${condition} AND deleted_at IS NULL ORDER BY created_at LIMIT 1
      `)
    },

    /**
     * Returns the organization and the role of a user in the scope, deleted ones included. The paths of operators and staff name the user
     * alone.
     */
    findOwner: (id: UserId, scope: OrganizationId | undefined) =>
      owners.first(sql`SELECT organization_id, role FROM users WHERE id = ${id} AND ${inScope(sql, scope)}`),

    /**
     * Locks a patient for their erasure, and returns their email and phone number, or none if there is no such patient. A statement that stores something for a living user
     * (`livingUser`) has either committed, or waits and then finds no user.
     */
    lockContacts: ({ organizationId, userId }: PatientRef) =>
      contacts.first(sql`
        SELECT email, phone_number FROM users WHERE organization_id = ${organizationId} AND id = ${userId} FOR UPDATE
      `),

    /** Replaces the names of a patient by `name` and the email by a placeholder, and removes all other personal data of the row. */
    erase: ({ organizationId, userId }: PatientRef, name: string, now: Date) =>
      execute(sql`
        UPDATE users SET
          email = ${erasedEmail(userId)}, first_name = ${name}, last_name = ${name}, phone_number = NULL,
          dob = NULL, gender = NULL, language_preferences = NULL, address = NULL, address2 = NULL, city = NULL,
          state = NULL, country = NULL, postal_code = NULL, allergies = NULL, current_medications = NULL,
          health_conditions = NULL, is_active = false, deleted_at = coalesce(deleted_at, ${now}), updated_at = ${now},
          version = version + 1
        WHERE organization_id = ${organizationId} AND id = ${userId}
      `)
  }
})
