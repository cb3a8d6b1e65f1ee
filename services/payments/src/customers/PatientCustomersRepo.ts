import type { OrganizationId, UserId } from "@care/domain/ids"
import { execute, finds, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const customers = rowsOf(Schema.Struct({ customerId: Schema.String }))

/** The customers of the gateway whom patients have, or have once had, a method of. */
export const makePatientCustomersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return {
    add: (organizationId: OrganizationId, customerId: string, userId: UserId) =>
      execute(sql`
        INSERT INTO patient_customers ${sql.insert({ organizationId, customerId, userId })} ON CONFLICT DO NOTHING
      `),

    /** Removes the customers of a patient. */
    remove: (organizationId: OrganizationId, userId: UserId) =>
      customers.all(sql`
        DELETE FROM patient_customers WHERE organization_id = ${organizationId} AND user_id = ${userId}
        RETURNING customer_id
      `),

    /** Whether a customer is any patient's, of whichever organization. */
    has: (customerId: string) =>
      finds(sql`SELECT customer_id FROM patient_customers WHERE customer_id = ${customerId} LIMIT 1`),

    /**
     * Whether a customer is another organization's, also one who is deleted with its patients. Two that had one before the
     * first was the only one keep it.
     */
    isTaken: (organizationId: OrganizationId, customerId: string) =>
      finds(sql`
        SELECT count(*) FROM (
          SELECT organization_id FROM patient_customers WHERE customer_id = ${customerId}
          UNION ALL SELECT organization_id FROM deleted_customers WHERE customer_id = ${customerId}
        ) owners
        HAVING bool_and(organization_id <> ${organizationId})
      `),

    /** Whether a customer is others', and not the patient's. */
    isOthers: (organizationId: OrganizationId, customerId: string, userId: UserId | undefined) =>
      finds(sql`
        SELECT count(*) FROM patient_customers
        WHERE organization_id = ${organizationId} AND customer_id = ${customerId}
        HAVING bool_and(user_id IS DISTINCT FROM ${userId ?? null}::uuid)
      `)
  }
})
