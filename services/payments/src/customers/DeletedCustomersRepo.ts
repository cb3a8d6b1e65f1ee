import type { OrganizationId } from "@care/domain/ids"
import { affects, execute } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const makeDeletedCustomersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    /**
     * Locks a customer until the transaction ends, across organizations: saving a method and deciding a deletion
     * exclude each other.
     */
    lockCustomer: (customerId: string) =>
      execute(sql`
        SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' customer ' || ${customerId}, 0))
      `),

    /** Returns whether the customer is deleted, or is decided to be. */
    has: (organizationId: OrganizationId, customerId: string) =>
      affects(sql`
        SELECT customer_id FROM deleted_customers
        WHERE organization_id = ${organizationId} AND customer_id = ${customerId}
      `),

    add: (organizationId: OrganizationId, customerId: string, deletedAt: Date) =>
      execute(sql`
        INSERT INTO deleted_customers ${sql.insert({ organizationId, customerId, deletedAt })} ON CONFLICT DO NOTHING
      `)
  }
})
