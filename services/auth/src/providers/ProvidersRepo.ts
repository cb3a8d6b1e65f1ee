import { PrescriberSummary } from "@care/domain/auth"
import { ToldUsState } from "@care/domain/http"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"

const patients = rowsOf(Schema.Struct({ id: UserId, state: ToldUsState }))

const candidates = rowsOf(Schema.Struct({ providerIds: Schema.Array(UserId) }))

const prescribers = rowsOf(PrescriberSummary)

/** A state, or an empty text for one that is not known, and where among the providers to begin. */
interface AskedState {
  readonly state: string
  readonly near: UserId
}

const mostCandidates = 100

export const makeProvidersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // As literals, so that the partial index serves it.
  const isActiveProvider = sql.literal("role = 'PROVIDER' AND is_active AND deleted_at IS NULL")

  return {
    /** Where patients live; an empty text where that is not known. */
    patients: (organizationId: OrganizationId, ids: ReadonlyArray<UserId>) =>
      patients.all(
        sql`
          SELECT id, coalesce(state, '') AS state FROM users
          WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])
        `
      ),

    /**
     * For each state the active providers of an organization who may work there: no more than `mostCandidates`, beginning
     * near an id and going round. All may where the state is not known.
     */
    licensedIn: (organizationId: OrganizationId, asked: ReadonlyArray<AskedState>) => {
      const candidatesWhere = (condition: Statement.Fragment) => sql`
        SELECT id FROM users
        WHERE organization_id = ${organizationId} AND ${isActiveProvider} AND ${condition}
          AND (asked.state = '' OR licensed_states = '{}' OR asked.state = ANY(licensed_states))
        ORDER BY id LIMIT ${mostCandidates}
      `
      return candidates
        .all(sql`
          SELECT ARRAY (
            (${candidatesWhere(sql`id >= asked.near`)}) UNION ALL (${candidatesWhere(sql`id < asked.near`)})
            LIMIT ${mostCandidates}
          ) AS provider_ids
          FROM unnest(${asked.map(({ state }) => state)}::text[], ${asked.map(({ near }) => near)}::uuid[])
            WITH ORDINALITY AS asked (state, near, number)
          ORDER BY number
        `)
        .pipe(Effect.map((rows) => rows.map(({ providerIds }) => providerIds)))
    },

    findPrescriber: (organizationId: OrganizationId, userId: UserId) =>
      prescribers.first(sql`
        SELECT first_name, last_name, coalesce(title, '') AS title, coalesce(title_suffix, '') AS title_suffix, email,
               coalesce(phone_number, '') AS phone_number, coalesce(npi, '') AS npi, coalesce(dea, '') AS dea,
               coalesce(address, '') AS address, address2, coalesce(city, '') AS city, coalesce(state, '') AS state,
               coalesce(postal_code, '') AS postal_code, country
        FROM users
        WHERE organization_id = ${organizationId} AND id = ${userId}
          AND ${isActiveProvider}
      `)
  }
})
