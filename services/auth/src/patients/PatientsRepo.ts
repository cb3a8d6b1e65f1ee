import { OrganizationId, type PatientDetails, Role, UserId, UserSummary } from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** The phone number belongs to another living user of the organization. */
export class PhoneNumberInUse extends Data.TaggedError("PhoneNumberInUse") {}

/** What is known of a user who exists already. The `has...` say which parts of the record are filled. */
const KnownPatient = Schema.Struct({
  id: UserId,
  role: Role,
  isPhoneTaken: Schema.Boolean,
  hasPhoneNumber: Schema.Boolean,
  hasDob: Schema.Boolean,
  hasGender: Schema.Boolean,
  hasLanguagePreferences: Schema.Boolean,
  hasAddress: Schema.Boolean
})
export type KnownPatient = typeof KnownPatient.Type

const SummaryRow = Schema.Struct({ organizationId: OrganizationId, ...UserSummary.fields }).mapFields((fields) => ({
  ...fields,
  createdAt: Schema.Date,
  updatedAt: Schema.Date
}))

/** A user as their organization shows them. */
export interface KnownUser {
  readonly organizationId: OrganizationId
  readonly summary: UserSummary
}

const addressColumns = (patient: PatientDetails) => ({
  address: patient.address?.addressLine1 ?? null,
  address2: patient.address?.addressLine2 ?? null,
  city: patient.address?.city ?? null,
  state: patient.address?.state ?? null,
  country: patient.address?.country ?? null,
  postalCode: patient.address?.postalCode ?? null
})

/** SQL of patients. */
export class PatientsRepo extends Context.Service<
  PatientsRepo,
  {
    /** Stores a new patient. False when the email belongs to somebody of the organization already, or the id is taken. */
    readonly insert: (
      organizationId: OrganizationId,
      id: UserId,
      patient: PatientDetails,
      now: Date
    ) => Effect.Effect<boolean, PhoneNumberInUse>
    /** The organization's user with this email. */
    readonly findKnown: (
      organizationId: OrganizationId,
      patient: PatientDetails
    ) => Effect.Effect<Option.Option<KnownPatient>>
    /** Fills what a patient's record lacks; what it has stays. */
    readonly complete: (
      organizationId: OrganizationId,
      id: UserId,
      patient: PatientDetails,
      now: Date
    ) => Effect.Effect<void>
    /** Gives a patient a login, unless they have one or the email is the login of another living user of the organization. */
    readonly addLogin: (
      organizationId: OrganizationId,
      id: UserId,
      passwordHash: string,
      now: Date
    ) => Effect.Effect<void>
    readonly findByEmail: (organizationId: OrganizationId, email: string) => Effect.Effect<Option.Option<UserId>>
    readonly findByPhoneNumber: (
      organizationId: OrganizationId,
      phoneNumber: string
    ) => Effect.Effect<Option.Option<UserId>>
    readonly summaries: (
      users: ReadonlyArray<{ readonly organizationId: OrganizationId; readonly userId: UserId }>
    ) => Effect.Effect<ReadonlyArray<KnownUser>>
  }
>()("@care/auth/patients/PatientsRepo") {
  static readonly layer = Layer.effect(
    PatientsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insert = (organizationId: OrganizationId, id: UserId, patient: PatientDetails, now: Date) =>
        sql`
          INSERT INTO users ${sql.insert({
            organizationId,
            id,
            email: patient.email,
            firstName: patient.firstName,
            lastName: patient.lastName,
            role: "USER",
            phoneNumber: patient.phoneNumber ?? null,
            dob: patient.dob ?? null,
            gender: patient.gender ?? null,
            languagePreferences: patient.languagePreferences ?? null,
            ...addressColumns(patient),
            createdAt: now,
            updatedAt: now
          })}
          ON CONFLICT (organization_id, email) WHERE deleted_at IS NULL DO NOTHING
          RETURNING id
        `.pipe(
          Effect.map((rows) => rows.length === 1),
          Effect.catchTag("SqlError", (error) => {
            const constraint = violatedConstraint(error)
            if (constraint === "users_pkey") return Effect.succeed(false)
            return constraint === "users_phone_number" ? new PhoneNumberInUse() : Effect.die(error)
          })
        )

      const isPhoneTaken = (organizationId: string, phoneNumber: string | null) => sql`EXISTS (
        SELECT FROM users other
        WHERE other.organization_id = ${organizationId} AND other.phone_number = ${phoneNumber}
          AND other.deleted_at IS NULL AND other.id <> u.id
      )`

      const findKnown = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          email: Schema.String,
          phoneNumber: Schema.NullOr(Schema.String)
        }),
        Result: KnownPatient,
        execute: ({ email, organizationId, phoneNumber }) => sql`
          SELECT id, role, ${isPhoneTaken(organizationId, phoneNumber)} AS is_phone_taken,
                 phone_number IS NOT NULL AS has_phone_number, dob IS NOT NULL AS has_dob, gender IS NOT NULL AS has_gender,
                 language_preferences IS NOT NULL AS has_language_preferences, address IS NOT NULL AS has_address
          FROM users u WHERE organization_id = ${organizationId} AND email = ${email} AND deleted_at IS NULL
        `
      })

      const complete = (organizationId: OrganizationId, id: UserId, patient: PatientDetails, now: Date) => {
        const { address, address2, city, country, postalCode, state } = addressColumns(patient)
        const phoneNumber = patient.phoneNumber ?? null
        return sql`
          UPDATE users u SET
            phone_number = coalesce(phone_number, (
              SELECT ${phoneNumber}::text WHERE NOT ${isPhoneTaken(organizationId, phoneNumber)}
            )),
            dob = coalesce(dob, ${patient.dob ?? null}::date),
            gender = coalesce(gender, ${patient.gender ?? null}),
            language_preferences = coalesce(language_preferences, ${patient.languagePreferences ?? null}::text[]),
            address = coalesce(address, ${address}),
            address2 = CASE WHEN address IS NULL THEN ${address2} ELSE address2 END,
            city = CASE WHEN address IS NULL THEN ${city} ELSE city END,
            state = CASE WHEN address IS NULL THEN ${state} ELSE state END,
            country = CASE WHEN address IS NULL THEN ${country} ELSE country END,
            postal_code = CASE WHEN address IS NULL THEN ${postalCode} ELSE postal_code END,
            updated_at = ${now}
          WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
        `
      }

      const addLogin = (organizationId: OrganizationId, id: UserId, passwordHash: string, now: Date) => sql`
        INSERT INTO credentials (organization_id, login_email, user_id, password_hash, created_at, updated_at)
        SELECT u.organization_id, u.email, u.id, ${passwordHash}, ${now}::timestamptz, ${now}::timestamptz
        FROM users u
        WHERE u.organization_id = ${organizationId} AND u.id = ${id} AND u.deleted_at IS NULL AND NOT EXISTS (
          SELECT FROM credentials c WHERE c.organization_id = u.organization_id AND c.user_id = u.id
        )
        ON CONFLICT (organization_id, login_email) DO UPDATE
        SET user_id = excluded.user_id, password_hash = excluded.password_hash, updated_at = excluded.updated_at
        WHERE EXISTS (
          SELECT FROM users gone
          WHERE gone.organization_id = credentials.organization_id AND gone.id = credentials.user_id
            AND gone.deleted_at IS NOT NULL
        )
      `

      const FoundUser = Schema.Struct({ id: UserId })
      const findBy = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          column: Schema.Literals(["email", "phone_number"]),
          identifier: Schema.String
        }),
        Result: FoundUser,
        execute: ({ column, identifier, organizationId }) => sql`
          SELECT id FROM users
          WHERE organization_id = ${organizationId} AND ${sql(column)} = ${identifier} AND deleted_at IS NULL
        `
      })
      const idOf = Option.map(({ id }: typeof FoundUser.Type) => id)

      const summaries = SqlSchema.findAll({
        Request: Schema.Struct({
          organizationIds: Schema.Array(OrganizationId),
          userIds: Schema.Array(UserId)
        }),
        Result: SummaryRow,
        execute: ({ organizationIds, userIds }) => sql`
          SELECT DISTINCT u.organization_id, u.id, u.email, u.first_name, u.last_name, u.role,
                 coalesce(u.phone_number, '') AS phone_number, u.is_active, u.created_at, u.updated_at
          FROM unnest(${organizationIds}::uuid[], ${userIds}::uuid[]) AS asked (organization_id, id)
          JOIN users u USING (organization_id, id)
        `
      })

      return PatientsRepo.of({
        insert,
        findKnown: (organizationId, { email, phoneNumber = null }) =>
          Effect.orDie(findKnown({ organizationId, email, phoneNumber })),
        complete: (organizationId, id, patient, now) => Effect.orDie(complete(organizationId, id, patient, now)),
        addLogin: (organizationId, id, passwordHash, now) =>
          Effect.orDie(addLogin(organizationId, id, passwordHash, now)),
        findByEmail: (organizationId, identifier) =>
          Effect.orDie(Effect.map(findBy({ organizationId, column: "email", identifier }), idOf)),
        findByPhoneNumber: (organizationId, identifier) =>
          Effect.orDie(Effect.map(findBy({ organizationId, column: "phone_number", identifier }), idOf)),
        summaries: (users) =>
          Effect.orDie(
            summaries({
              organizationIds: users.map(({ organizationId }) => organizationId),
              userIds: users.map(({ userId }) => userId)
            }).pipe(
              Effect.map((rows) =>
                rows.map(({ organizationId, ...summary }) => ({
                  organizationId,
                  summary
                }))
              )
            )
          )
      })
    })
  )
}
