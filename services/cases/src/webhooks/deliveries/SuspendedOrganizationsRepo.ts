import type { OrganizationSnapshot } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { affects, execute } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** SQL of organizations that are disabled. */
export const makeSuspendedOrganizationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Stores a snapshot. Returns false, and stores nothing, when one as new is stored. */
    keep: (snapshot: OrganizationSnapshot) =>
      affects(sql`
        INSERT INTO organization_snapshots ${sql.insert(snapshot)}
        ON CONFLICT (organization_id) DO UPDATE SET version = excluded.version, is_disabled = excluded.is_disabled
        WHERE organization_snapshots.version < excluded.version
        RETURNING organization_id
      `),

    /** Forgets since when endpoints fail, because nothing was attempted meanwhile. */
    forgetFailures: (organizationId: OrganizationId) =>
      execute(sql`
        UPDATE webhook_endpoints SET failing_since = NULL
        WHERE organization_id = ${organizationId} AND failing_since IS NOT NULL
      `)
  }
})
