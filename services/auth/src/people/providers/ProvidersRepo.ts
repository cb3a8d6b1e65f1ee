import { PrescriberSummary } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const prescribers = rowsOf(PrescriberSummary)

export const makeProvidersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const prescriber = sql.literal(`
    first_name, last_name, coalesce(title, '') AS title, coalesce(title_suffix, '') AS title_suffix, email,
    coalesce(phone_number, '') AS phone_number, coalesce(npi, '') AS npi, coalesce(dea, '') AS dea,
    coalesce(address, '') AS address, address2, coalesce(city, '') AS city, coalesce(state, '') AS state,
    coalesce(postal_code, '') AS postal_code, country
  `)
  return {
    /** Returns an active provider of the organization. A sandbox has those of its live organization, too. */
    findPrescriber: (organizationId: OrganizationId, userId: UserId) =>
      prescribers.first(sql`
        SELECT ${prescriber} FROM users
        WHERE organization_id = ${organizationId} AND id = ${userId}
          AND role = 'PROVIDER' AND is_active AND deleted_at IS NULL
        UNION ALL
        SELECT ${prescriber} FROM users
        WHERE organization_id = (SELECT live_organization_id FROM organizations WHERE id = ${organizationId}) AND id = ${userId}
          AND role = 'PROVIDER' AND is_active AND deleted_at IS NULL
      `)
  }
})
