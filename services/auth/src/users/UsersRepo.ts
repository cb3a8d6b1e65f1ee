import { Gender, OrganizationId, Role, UserId } from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema, type Statement } from "effect/sql"

const optionalText = Schema.NullOr(Schema.String)

/** A user as stored: what is known of the health is sealed. */
const UserRow = Schema.Struct({
  id: UserId,
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  role: Role,
  phoneNumber: optionalText,
  dob: optionalText,
  gender: Schema.NullOr(Gender),
  address: optionalText,
  address2: optionalText,
  city: optionalText,
  state: optionalText,
  country: optionalText,
  postalCode: optionalText,
  allergies: optionalText,
  currentMedications: optionalText,
  healthConditions: optionalText,
  languagePreferences: Schema.NullOr(Schema.Array(Schema.String)),
  smsNotificationsDisabled: Schema.Boolean,
  notificationsDisabled: Schema.Boolean,
  isActive: Schema.Boolean,
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type UserRow = typeof UserRow.Type

/** Columns of a profile that change; undefined ones stay. What is known of the health is sealed. */
export type StoredChange = {
  readonly [Column in Exclude<keyof UserRow, "id" | "email" | "role" | "isActive" | "createdAt">]?:
    | UserRow[Column]
    | undefined
}

const definedOnly = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

const FoundUser = Schema.Struct({ createdAt: Schema.Date, isOwn: Schema.Boolean })

/** A user who was looked up in all organizations; `isOwn` is one of the organization that asks. */
export type FoundUser = typeof FoundUser.Type

/** The phone number belongs to another living user of the organization. */
export class PhoneNumberInUse extends Data.TaggedError("PhoneNumberInUse") {}

/** The new email belongs to somebody, or the patient has moved or gone meanwhile. */
export class EmailInUse extends Data.TaggedError("EmailInUse") {}

/** SQL of users. */
export class UsersRepo extends Context.Service<
  UsersRepo,
  {
    readonly findByEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<UserRow>>
    readonly findById: (organizationId: OrganizationId, id: UserId) => Effect.Effect<Option.Option<UserRow>>
    /** Changes a patient. None when there is no such patient any more. */
    readonly update: (
      organizationId: OrganizationId,
      id: UserId,
      change: StoredChange,
      now: Date
    ) => Effect.Effect<Option.Option<UserRow>, PhoneNumberInUse>
    /**
     * Moves a patient and their login to a new email, which must be nobody's in any organization, and nobody else's login
     * in this one.
     */
    readonly moveEmail: (
      organizationId: OrganizationId,
      id: UserId,
      emails: { readonly current: string; readonly next: string },
      now: Date
    ) => Effect.Effect<UserRow, EmailInUse>
    /** Looks for an email in all organizations, the own first. */
    readonly checkEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<FoundUser>>
    /** Looks for a phone number in all organizations, the own first. */
    readonly checkPhoneNumber: (
      organizationId: OrganizationId,
      phoneNumber: string
    ) => Effect.Effect<Option.Option<FoundUser>>
  }
>()("@care/auth/users/UsersRepo") {
  static readonly layer = Layer.effect(
    UsersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const columns = sql.literal(`
        id, email, first_name, last_name, role, phone_number, to_char(dob, 'YYYY-MM-DD') AS dob, gender, address, address2,
        city, state, country, postal_code, allergies, current_medications, health_conditions, language_preferences,
        sms_notifications_disabled, notifications_disabled, is_active, created_at, updated_at
      `)

      const decodeUsers = Schema.decodeUnknownEffect(Schema.Array(UserRow))
      const first = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>) =>
        rows.pipe(
          Effect.flatMap((found) => Effect.orDie(decodeUsers(found))),
          Effect.map(([user]) => Option.fromUndefinedOr(user))
        )

      const findUser = (organizationId: OrganizationId, condition: Statement.Fragment) =>
        first(sql`
          SELECT ${columns} FROM users WHERE organization_id = ${organizationId} AND ${condition} AND deleted_at IS NULL
        `).pipe(Effect.orDie)

      const update = (organizationId: OrganizationId, id: UserId, change: StoredChange, now: Date) =>
        first(sql`
          UPDATE users SET ${sql.update({ ...definedOnly(change), updatedAt: now })}
          WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
          RETURNING ${columns}
        `).pipe(
          Effect.catchTag("SqlError", (error) =>
            violatedConstraint(error) === "users_phone_number" ? new PhoneNumberInUse() : Effect.die(error)
          )
        )

      const moveEmail: UsersRepo["Service"]["moveEmail"] = (organizationId, id, { current, next }, now) =>
        first(sql`
          WITH moved AS (
            UPDATE users u SET email = ${next}, updated_at = ${now}
            WHERE u.organization_id = ${organizationId} AND u.id = ${id} AND u.email = ${current} AND u.deleted_at IS NULL
              AND NOT EXISTS (SELECT FROM users other WHERE other.email = ${next} AND other.deleted_at IS NULL)
              AND NOT EXISTS (
                SELECT FROM credentials c
                WHERE c.organization_id = ${organizationId} AND c.login_email = ${next} AND c.user_id <> u.id
              )
            RETURNING *
          ), login AS (
            UPDATE credentials c SET login_email = ${next}, updated_at = ${now} FROM moved
            WHERE c.organization_id = ${organizationId} AND c.user_id = moved.id
          )
          SELECT ${columns} FROM moved
        `).pipe(
          Effect.catchTag("SqlError", (error) =>
            violatedConstraint(error) === "users_email" ? new EmailInUse() : Effect.die(error)
          ),
          Effect.flatMap((moved) => (Option.isSome(moved) ? Effect.succeed(moved.value) : new EmailInUse()))
        )

      const check = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          column: Schema.Literals(["email", "phone_number"]),
          identifier: Schema.String
        }),
        Result: FoundUser,
        execute: ({ column, identifier, organizationId }) => sql`
          SELECT created_at, organization_id = ${organizationId} AS is_own
          FROM users WHERE ${sql(column)} = ${identifier} AND deleted_at IS NULL
          ORDER BY is_own DESC, created_at
          LIMIT 1
        `
      })

      return UsersRepo.of({
        findByEmail: (organizationId, email) => findUser(organizationId, sql`email = ${email}`),
        findById: (organizationId, id) => findUser(organizationId, sql`id = ${id}`),
        update,
        moveEmail,
        checkEmail: (organizationId, identifier) =>
          Effect.orDie(check({ organizationId, column: "email", identifier })),
        checkPhoneNumber: (organizationId, identifier) =>
          Effect.orDie(check({ organizationId, column: "phone_number", identifier }))
      })
    })
  )
}
