import type { CaseId, OrganizationId } from "@care/domain/ids"
import type { Preparation } from "@care/domain/payments"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { SavedMethod } from "../customers/index.ts"

const methods = rowsOf(
  Schema.Struct({ customerId: Schema.NullOr(Schema.String), paymentMethodId: Schema.NullOr(Schema.String) })
)

export const makePreparationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ofAttempt = ({ caseId, organizationId, preparationId }: Preparation) =>
    sql`organization_id = ${organizationId} AND case_id = ${caseId} AND id = ${preparationId}`

  return {
    /**
     * Makes this attempt the owner of a case's preparation, with the method to save. Other attempts wait until the
     * transaction ends.
     */
    hold: ({ caseId, organizationId, preparationId }: Preparation, method: SavedMethod | undefined) =>
      execute(sql`
        INSERT INTO payment_preparations (organization_id, case_id, id, customer_id, payment_method_id)
        VALUES (
          ${organizationId}, ${caseId}, ${preparationId}, ${method?.customerId ?? null}, ${method?.paymentMethodId ?? null}
        )
        ON CONFLICT (organization_id, case_id) DO UPDATE
        SET id = excluded.id, customer_id = excluded.customer_id, payment_method_id = excluded.payment_method_id
      `),

    isHeld: (preparation: Preparation) =>
      affects(sql`SELECT id FROM payment_preparations WHERE ${ofAttempt(preparation)}`),

    /** Returns false when this attempt does not own the preparation. */
    drop: (preparation: Preparation) =>
      affects(sql`DELETE FROM payment_preparations WHERE ${ofAttempt(preparation)} RETURNING id`),

    /** Removes the preparation of a stored case, whichever attempt owns it, and returns the method to save, if any. */
    end: (organizationId: OrganizationId, caseId: CaseId) =>
      Effect.map(
        methods.first(sql`
          DELETE FROM payment_preparations WHERE organization_id = ${organizationId} AND case_id = ${caseId}
          RETURNING customer_id, payment_method_id
        `),
        Option.flatMap(({ customerId, paymentMethodId }) =>
          customerId === null || paymentMethodId === null ? Option.none() : Option.some({ customerId, paymentMethodId })
        )
      )
  }
})
