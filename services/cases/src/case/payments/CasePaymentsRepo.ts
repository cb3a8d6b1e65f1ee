import { PaymentSnapshot } from "@care/domain/payments"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"

const Known = Schema.Struct(Struct.pick(PaymentSnapshot.fields, ["outcome", "version"]))
const known = rowsOf(Known)

export const makeCasePaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** What is known of a payment, which nobody else changes until the transaction ends: version 0 of one that is new. */
    lock: ({ caseId, organizationId, paymentId }: PaymentSnapshot) =>
      Effect.andThen(
        execute(sql`
          INSERT INTO case_payments (organization_id, payment_id, case_id, status, outcome, version)
          VALUES (${organizationId}, ${paymentId}, ${caseId}, 'UNPAID', NULL, 0)
          ON CONFLICT (organization_id, payment_id) DO NOTHING
        `),
        known.one(sql`
          SELECT outcome, version FROM case_payments
          WHERE organization_id = ${organizationId} AND payment_id = ${paymentId} FOR NO KEY UPDATE
        `)
      ),

    update: ({ organizationId, outcome, paymentId, status, version }: PaymentSnapshot) =>
      execute(sql`
        UPDATE case_payments SET status = ${status}, outcome = ${outcome}, version = ${version}
        WHERE organization_id = ${organizationId} AND payment_id = ${paymentId}
      `)
  }
})
