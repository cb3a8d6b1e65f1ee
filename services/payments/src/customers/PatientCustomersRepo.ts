import type { OrganizationId, UserId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const customers = rowsOf(Schema.Struct({ customerId: Schema.String }))

/** The gateway's customers whose methods patients have or had. */
export const makePatientCustomersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    add: (organizationId: OrganizationId, customerId: string, userId: UserId) =>
      execute(sql`
        INSERT INTO patient_customers ${sql.insert({ organizationId, customerId, userId })} ON CONFLICT DO NOTHING
      `),

    remove: (organizationId: OrganizationId, userId: UserId) =>
      customers.all(sql`
        DELETE FROM patient_customers WHERE organization_id = ${organizationId} AND user_id = ${userId}
        RETURNING customer_id
      `),

    /** Returns whether any patient of any organization has the customer. */
    has: (customerId: string) =>
      affects(sql`SELECT customer_id FROM patient_customers WHERE customer_id = ${customerId} LIMIT 1`),

    /**
     * Returns whether the customer belongs to another organization, also when it is deleted. Organizations that shared
     * one before that was prevented keep it.
     */
    isTaken: (organizationId: OrganizationId, customerId: string) =>
      affects(sql`
        SELECT count(*) FROM (
          SELECT organization_id FROM patient_customers WHERE customer_id = ${customerId}
          UNION ALL SELECT organization_id FROM deleted_customers WHERE customer_id = ${customerId}
        ) owners
        HAVING bool_and(organization_id <> ${organizationId})
      `),

    /** Returns whether other patients have the customer, and this one does not. */
    belongsToOthers: (organizationId: OrganizationId, customerId: string, userId: UserId | undefined) =>
      affects(sql`
        SELECT count(*) FROM patient_customers
        WHERE organization_id = ${organizationId} AND customer_id = ${customerId}
        HAVING bool_and(user_id IS DISTINCT FROM ${userId ?? null}::uuid)
      `)
  }
})
