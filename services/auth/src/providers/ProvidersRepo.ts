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
          SELECT id, licensed_states, (
            SELECT state FROM users WHERE organization_id = ${organizationId} AND id = ${patientId}
          ) AS patient_state
          FROM users
          WHERE organization_id = ${organizationId} AND role = 'PROVIDER' AND is_active AND deleted_at IS NULL
        `
      })

      const findPrescriber = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
        Result: PrescriberSummary,
        execute: ({ organizationId, userId }) => sql`
          SELECT first_name, last_name, coalesce(title, '') AS title, coalesce(title_suffix, '') AS title_suffix, email,
                 coalesce(phone_number, '') AS phone_number, coalesce(npi, '') AS npi, coalesce(dea, '') AS dea,
                 coalesce(address, '') AS address, address2, coalesce(city, '') AS city, coalesce(state, '') AS state,
                 coalesce(postal_code, '') AS postal_code, country
          FROM users
          WHERE organization_id = ${organizationId} AND id = ${userId}
            AND role = 'PROVIDER' AND is_active AND deleted_at IS NULL
        `
      })

      return ProvidersRepo.of({
        active: (organizationId, patientId) => Effect.orDie(active({ organizationId, patientId })),
        findPrescriber: (organizationId, userId) => Effect.orDie(findPrescriber({ organizationId, userId }))
      })
    })
  )
}
