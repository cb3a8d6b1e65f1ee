import { OrganizationId, type PatientDetails, UserId, UserSummary } from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** The phone number belongs to another living user. */
export class PhoneNumberInUse extends Data.TaggedError("PhoneNumberInUse") {}

/** What is known of a patient who exists already. The `has...` say which parts of the record are filled. */
const KnownPatient = Schema.Struct({
  id: UserId,
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

// The row was decoded by the same schemas.
const unchecked = { disableChecks: true }

/** A user as an organization that knows them shows them. */
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
    /** Stores a new patient with access to the organization. False when the email belongs to somebody already. */
    readonly insert: (
      organizationId: OrganizationId,
      id: UserId,
      patient: PatientDetails,
      now: Date
    ) => Effect.Effect<boolean, PhoneNumberInUse>
    /** Finds the user with this email and gives them access to the organization, unless the phone number is taken. */
    readonly grantAccess: (
      organizationId: OrganizationId,
      patient: PatientDetails,
      now: Date
    ) => Effect.Effect<Option.Option<KnownPatient>>
    /** Fills what a patient's record lacks; what it has stays. */
    readonly complete: (
      organizationId: OrganizationId,
      id: UserId,
      patient: PatientDetails,
      now: Date
    ) => Effect.Effect<void>
    /** Gives a patient a login, unless they have one or the email is another living user's login. */
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
          WITH created AS (
            INSERT INTO users ${sql.insert({
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
            ON CONFLICT (email) WHERE deleted_at IS NULL DO NOTHING
            RETURNING id
          ), access AS (
            INSERT INTO organization_access (organization_id, user_id, role, created_at)
            SELECT ${organizationId}::uuid, id, 'USER', ${now}::timestamptz FROM created
          )
          SELECT id FROM created
        `.pipe(
          Effect.map((rows) => rows.length === 1),
          Effect.catchTag("SqlError", (error) =>
            violatedConstraint(error) === "users_phone_number" ? new PhoneNumberInUse() : Effect.die(error)
          )
        )

      const grantAccess = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          email: Schema.String,
          phoneNumber: Schema.NullOr(Schema.String),
          now: Schema.Date
        }),
        Result: KnownPatient,
        execute: ({ email, now, organizationId, phoneNumber }) => sql`
          WITH known AS (
            SELECT u.*, EXISTS (
              SELECT FROM users other
              WHERE other.phone_number = ${phoneNumber} AND other.deleted_at IS NULL AND other.id <> u.id
            ) AS is_phone_taken
            FROM users u WHERE u.email = ${email} AND u.deleted_at IS NULL
          ), access AS (
            INSERT INTO organization_access (organization_id, user_id, role, created_at)
            SELECT ${organizationId}::uuid, id, role, ${now}::timestamptz FROM known WHERE NOT is_phone_taken
            ON CONFLICT DO NOTHING
          )
          SELECT id, is_phone_taken, phone_number IS NOT NULL AS has_phone_number, dob IS NOT NULL AS has_dob,
                 gender IS NOT NULL AS has_gender, language_preferences IS NOT NULL AS has_language_preferences,
                 address IS NOT NULL AS has_address
          FROM known
        `
      })

      const complete = (organizationId: OrganizationId, id: UserId, patient: PatientDetails, now: Date) => {
        const { address, address2, city, country, postalCode, state } = addressColumns(patient)
        return sql`
          UPDATE users u SET
            phone_number = coalesce(phone_number, (
              SELECT ${patient.phoneNumber ?? null}::text WHERE NOT EXISTS (
                SELECT FROM users other
                WHERE other.phone_number = ${patient.phoneNumber ?? null} AND other.deleted_at IS NULL
              )
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
          WHERE id = ${id} AND deleted_at IS NULL AND EXISTS (
            SELECT FROM organization_access a WHERE a.organization_id = ${organizationId} AND a.user_id = u.id
          )
        `
      }

      const addLogin = (organizationId: OrganizationId, id: UserId, passwordHash: string, now: Date) => sql`
        INSERT INTO credentials (login_email, user_id, password_hash, created_at, updated_at)
        SELECT u.email, u.id, ${passwordHash}, ${now}::timestamptz, ${now}::timestamptz
        FROM users u JOIN organization_access a ON a.user_id = u.id AND a.organization_id = ${organizationId}
        WHERE u.id = ${id} AND u.deleted_at IS NULL AND NOT EXISTS (SELECT FROM credentials WHERE user_id = u.id)
        ON CONFLICT (login_email) DO UPDATE
        SET user_id = excluded.user_id, password_hash = excluded.password_hash, updated_at = excluded.updated_at
        WHERE EXISTS (SELECT FROM users gone WHERE gone.id = credentials.user_id AND gone.deleted_at IS NOT NULL)
      `

      const FoundUser = Schema.Struct({ id: UserId })
      const findByEmail = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, email: Schema.String }),
        Result: FoundUser,
        execute: ({ email, organizationId }) => sql`
          SELECT u.id FROM users u JOIN organization_access a ON a.user_id = u.id
          WHERE u.email = ${email} AND u.deleted_at IS NULL AND a.organization_id = ${organizationId}
        `
      })
      const findByPhoneNumber = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, phoneNumber: Schema.String }),
        Result: FoundUser,
        execute: ({ organizationId, phoneNumber }) => sql`
          SELECT u.id FROM users u JOIN organization_access a ON a.user_id = u.id
          WHERE u.phone_number = ${phoneNumber} AND u.deleted_at IS NULL AND a.organization_id = ${organizationId}
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
          SELECT DISTINCT a.organization_id, u.id, u.email, u.first_name, u.last_name, u.role, u.phone_number, u.is_active,
                 u.created_at, u.updated_at
          FROM unnest(${organizationIds}::uuid[], ${userIds}::uuid[]) AS asked (organization_id, user_id)
          JOIN organization_access a USING (organization_id, user_id)
          JOIN users u ON u.id = a.user_id
        `
      })

      return PatientsRepo.of({
        insert,
        grantAccess: (organizationId, { email, phoneNumber = null }, now) =>
          Effect.orDie(grantAccess({ organizationId, email, phoneNumber, now })),
        complete: (organizationId, id, patient, now) => Effect.orDie(complete(organizationId, id, patient, now)),
        addLogin: (organizationId, id, passwordHash, now) =>
          Effect.orDie(addLogin(organizationId, id, passwordHash, now)),
        findByEmail: (organizationId, email) => Effect.orDie(Effect.map(findByEmail({ organizationId, email }), idOf)),
        findByPhoneNumber: (organizationId, phoneNumber) =>
          Effect.orDie(Effect.map(findByPhoneNumber({ organizationId, phoneNumber }), idOf)),
        summaries: (users) =>
          Effect.orDie(
            summaries({
              organizationIds: users.map(({ organizationId }) => organizationId),
              userIds: users.map(({ userId }) => userId)
            }).pipe(
              Effect.map((rows) =>
                rows.map(({ organizationId, ...summary }) => ({
                  organizationId,
                  summary: new UserSummary(summary, unchecked)
                }))
              )
            )
          )
      })
    })
  )
}
