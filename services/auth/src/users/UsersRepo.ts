import { Gender, OrganizationId, Role, UserId } from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema, type Statement } from "effect/sql"

const optionalText = Schema.NullOr(Schema.String)

/** A user as stored: what is known of the health is sealed. `isMember`: the organization knows the user. */
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
  isMember: Schema.Boolean,
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type UserRow = typeof UserRow.Type

/** Columns of a profile that change; undefined ones stay. What is known of the health is sealed. */
export type StoredChange = {
  readonly [Column in Exclude<keyof UserRow, "id" | "email" | "role" | "isActive" | "isMember" | "createdAt">]?:
    | UserRow[Column]
    | undefined
}

const definedOnly = (change: object) =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))

const FoundUser = Schema.Struct({ createdAt: Schema.Date, isMember: Schema.Boolean })

/** A user who was looked up. */
export type FoundUser = typeof FoundUser.Type

/** The phone number belongs to another living user. */
export class PhoneNumberInUse extends Data.TaggedError("PhoneNumberInUse") {}

/** SQL of users. */
export class UsersRepo extends Context.Service<
  UsersRepo,
  {
    readonly findByEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<UserRow>>
    readonly findById: (organizationId: OrganizationId, id: UserId) => Effect.Effect<Option.Option<UserRow>>
    /** Changes a patient who is known to the organization. None when there is no such patient any more. */
    readonly update: (
      organizationId: OrganizationId,
      id: UserId,
      change: StoredChange,
      now: Date
    ) => Effect.Effect<Option.Option<UserRow>, PhoneNumberInUse>
    /** Moves a patient and their login to a new email. None when it belongs to somebody, or the patient is gone. */
    readonly moveEmail: (
      organizationId: OrganizationId,
      id: UserId,
      emails: { readonly current: string; readonly next: string },
      now: Date
    ) => Effect.Effect<Option.Option<UserRow>>
    readonly checkEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<FoundUser>>
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

      const isMember = (organizationId: string) => sql`EXISTS (
        SELECT FROM organization_access a WHERE a.organization_id = ${organizationId} AND a.user_id = u.id
      )`
      const columns = (organizationId: string) => sql`
        u.id, u.email, u.first_name, u.last_name, u.role, u.phone_number, to_char(u.dob, 'YYYY-MM-DD') AS dob, u.gender,
        u.address, u.address2, u.city, u.state, u.country, u.postal_code, u.allergies, u.current_medications,
        u.health_conditions, u.language_preferences, u.sms_notifications_disabled, u.notifications_disabled,
        u.is_active, u.created_at, u.updated_at, ${isMember(organizationId)} AS is_member
      `

      const User = Schema.Array(UserRow)
      const decodeUsers = Schema.decodeUnknownEffect(User)
      const first = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>) =>
        rows.pipe(
          Effect.flatMap((found) => Effect.orDie(decodeUsers(found))),
          Effect.map(([user]) => Option.fromUndefinedOr(user))
        )

      const findUser = (organizationId: OrganizationId, condition: Statement.Fragment) =>
        first(sql`SELECT ${columns(organizationId)} FROM users u WHERE ${condition} AND u.deleted_at IS NULL`).pipe(
          Effect.orDie
        )

      const update = (organizationId: OrganizationId, id: UserId, change: StoredChange, now: Date) =>
        first(sql`
          UPDATE users u SET ${sql.update({ ...definedOnly(change), updatedAt: now })}
          WHERE u.id = ${id} AND u.deleted_at IS NULL AND ${isMember(organizationId)}
          RETURNING ${columns(organizationId)}
        `).pipe(
          Effect.catchTag("SqlError", (error) =>
            violatedConstraint(error) === "users_phone_number" ? new PhoneNumberInUse() : Effect.die(error)
          )
        )

      const moveEmail: UsersRepo["Service"]["moveEmail"] = (organizationId, id, { current, next }, now) =>
        first(sql`
          WITH moved AS (
            UPDATE users u SET email = ${next}, updated_at = ${now}
            WHERE u.id = ${id} AND u.email = ${current} AND u.deleted_at IS NULL AND ${isMember(organizationId)}
              AND NOT EXISTS (SELECT FROM credentials c WHERE c.login_email = ${next} AND c.user_id <> u.id)
            RETURNING ${columns(organizationId)}
          ), login AS (
            UPDATE credentials c SET login_email = ${next}, updated_at = ${now} FROM moved WHERE c.user_id = moved.id
          )
          SELECT * FROM moved
        `).pipe(
          Effect.catchTag("SqlError", (error) =>
            violatedConstraint(error) === "users_email" ? Effect.succeedNone : Effect.die(error)
          )
        )

      const check = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          column: Schema.Literals(["email", "phone_number"]),
          identifier: Schema.String
        }),
        Result: FoundUser,
        execute: ({ column, identifier, organizationId }) => sql`
          SELECT u.created_at, ${isMember(organizationId)} AS is_member
          FROM users u WHERE u.${sql(column)} = ${identifier} AND u.deleted_at IS NULL
        `
      })

      return UsersRepo.of({
        findByEmail: (organizationId, email) => findUser(organizationId, sql`u.email = ${email}`),
        findById: (organizationId, id) => findUser(organizationId, sql`u.id = ${id}`),
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
