import { CaseId, OrganizationId, PaymentId, Uuid } from "@care/domain/ids"
import { PaymentStatus } from "@care/domain/payments"
import {
  affects,
  execute,
  finds,
  type OpenedRow,
  type PatientKey,
  rowsOf,
  sealed,
  sealedRow,
  sealedRowsOf
} from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** What was told of a payment. `amount` is an exact decimal string in major units; days are `YYYY-MM-DD`. */
export const ConfirmationRow = sealedRow("payment_confirmations", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: Uuid,
  paymentId: PaymentId,
  caseId: CaseId,
  decisionId: Schema.NullOr(Uuid),
  status: PaymentStatus,
  amount: Schema.String,
  paymentDate: Schema.String,
  validUntil: Schema.String,
  description: sealed(Schema.NullOr(Schema.String)),
  toldAt: Schema.Date
})
export type ConfirmationRow = OpenedRow<typeof ConfirmationRow>

const known = rowsOf(Schema.Struct({ id: Uuid, paymentId: PaymentId }))

export const makeConfirmationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sealedRowsOf(ConfirmationRow)

  return {
    /** False, and nothing is stored, when the payment was told of before. */
    insert: (key: PatientKey, confirmation: ConfirmationRow) =>
      affects(sql`
        INSERT INTO payment_confirmations ${sql.insert(rows.seal(key, confirmation))}
        ON CONFLICT (organization_id, case_id, payment_date, decision_id) DO NOTHING
        RETURNING id
      `),

    /** What was told of the same payment before, which nobody else changes until the transaction ends. */
    lock: ({ caseId, decisionId, organizationId, paymentDate }: ConfirmationRow) =>
      known.one(sql`
        SELECT id, payment_id FROM payment_confirmations
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND payment_date = ${paymentDate}
          AND decision_id IS NOT DISTINCT FROM ${decisionId}
        FOR NO KEY UPDATE
      `),

    update: (key: PatientKey, confirmation: ConfirmationRow) =>
      execute(sql`
        UPDATE payment_confirmations SET ${sql.update(rows.seal(key, confirmation), ["organizationId", "id"])}
        WHERE organization_id = ${confirmation.organizationId} AND id = ${confirmation.id}
      `),

    isConfirmed: (organizationId: OrganizationId, paymentId: PaymentId) =>
      finds(sql`
        SELECT FROM payment_confirmations WHERE organization_id = ${organizationId} AND payment_id = ${paymentId}
      `)
  }
})
