import type { OrganizationId } from "@care/domain/ids"
import { affects, execute } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { someNobody } from "./nobody.ts"

/** SQL of requests for codes. The identifier is stored as a keyed hash. */
export const makeCodeRequestsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /**
     * Stores a request. Returns false when there is a request after `notSince`. It looks for that first, so that the requests of a
     * flood do not wait for the row's lock.
     */
    store: (organizationId: OrganizationId, identifierHash: string, now: Date, notSince: Date) =>
      affects(sql`
        INSERT INTO code_requests (organization_id, identifier_hash, requested_at)
        SELECT ${organizationId}::uuid, ${identifierHash}::text, ${now}::timestamptz
        WHERE NOT EXISTS (
          SELECT FROM code_requests
          WHERE organization_id = ${organizationId} AND identifier_hash = ${identifierHash} AND requested_at > ${notSince}
        )
        ON CONFLICT (organization_id, identifier_hash) DO UPDATE SET requested_at = excluded.requested_at
        WHERE code_requests.requested_at <= ${notSince}
        RETURNING identifier_hash
      `),

    /** Writes as much as storing a request and its job, so that both take the same time. */
    storeNothing: Effect.suspend(() => {
      const { identifierHash, organizationId } = someNobody()
      return execute(sql`
        UPDATE code_requests SET requested_at = 'infinity'
        WHERE organization_id = ${organizationId} AND identifier_hash = ${identifierHash}
      `)
    }),

    remove: (organizationId: OrganizationId, identifierHashes: ReadonlyArray<string>) =>
      execute(sql`
        DELETE FROM code_requests
        WHERE organization_id = ${organizationId} AND ${sql.in("identifier_hash", identifierHashes)}
      `)
  }
})
