import { OrganizationId, PrescriberSummary, UserId } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const Licensed = Schema.Struct({
  id: UserId,
  licensedStates: Schema.Array(Schema.String),
  patientState: Schema.NullOr(Schema.String)
})

/** SQL of providers. */
export class ProvidersRepo extends Context.Service<
  ProvidersRepo,
  {
    /** The active providers of an organization, each with the state of a patient beside. */
    readonly active: (
      organizationId: OrganizationId,
      patientId: UserId
    ) => Effect.Effect<ReadonlyArray<typeof Licensed.Type>>
    readonly findPrescriber: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<Option.Option<PrescriberSummary>>
  }
>()("@care/auth/providers/ProvidersRepo") {
  static readonly layer = Layer.effect(
    ProvidersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const active = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, patientId: UserId }),
        Result: Licensed,
        execute: ({ organizationId, patientId }) => sql`
          SELECT u.id, a.licensed_states, (SELECT state FROM users WHERE id = ${patientId}) AS patient_state
          FROM organization_access a JOIN users u ON u.id = a.user_id
          WHERE a.organization_id = ${organizationId} AND a.role = 'PROVIDER' AND u.is_active AND u.deleted_at IS NULL
        `
      })

      const findPrescriber = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
        Result: PrescriberSummary,
        execute: ({ organizationId, userId }) => sql`
          SELECT u.first_name, u.last_name, coalesce(u.title, '') AS title, coalesce(u.title_suffix, '') AS title_suffix,
                 u.email, coalesce(u.phone_number, '') AS phone_number, coalesce(u.npi, '') AS npi,
                 coalesce(u.dea, '') AS dea, coalesce(u.address, '') AS address, u.address2,
                 coalesce(u.city, '') AS city, coalesce(u.state, '') AS state,
                 coalesce(u.postal_code, '') AS postal_code, u.country
          FROM organization_access a JOIN users u ON u.id = a.user_id
          WHERE a.organization_id = ${organizationId} AND u.id = ${userId}
            AND a.role = 'PROVIDER' AND u.is_active AND u.deleted_at IS NULL
        `
      })

      return ProvidersRepo.of({
        active: (organizationId, patientId) => Effect.orDie(active({ organizationId, patientId })),
        findPrescriber: (organizationId, userId) => Effect.orDie(findPrescriber({ organizationId, userId }))
      })
    })
  )
}
