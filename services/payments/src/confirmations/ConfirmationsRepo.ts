import { CaseId, OrganizationId, PaymentId, Uuid } from "@care/domain/ids"
import { PaymentStatus } from "@care/domain/payments"
import { type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The `ordinal`-th confirmation of a payment, from 1 on. `amount` is an exact decimal string in major units; days are
 * `YYYY-MM-DD`. `externalDecision` is the decision's name as given, `decisionId` its UUID.
 */
export const ConfirmationRow = sealedRow("payment_confirmations", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: Uuid,
  paymentId: PaymentId,
  ordinal: Schema.Int,
  caseId: CaseId,
  decisionId: Schema.NullOr(Uuid),
  externalDecision: sealed(Schema.NullOr(Schema.String)),
  status: PaymentStatus,
  amount: Schema.String,
  paymentDate: Schema.String,
  validUntil: Schema.String,
  description: sealed(Schema.NullOr(Schema.String)),
  reportedAt: Schema.Date
})
export type ConfirmationRow = OpenedRow<typeof ConfirmationRow>

const owners = rowsOf(Schema.Struct({ paymentId: PaymentId }))

export const makeConfirmationsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sealedRowsOf(ConfirmationRow)

  return {
    /** Returns false, and stores nothing, when it is a first confirmation and the payment already has one. */
    insert: (key: PatientKey, confirmation: ConfirmationRow) =>
      affects(sql`
        INSERT INTO payment_confirmations ${sql.insert(rows.seal(key, confirmation))}
        ON CONFLICT (organization_id, case_id, payment_date, amount, decision_id) WHERE ordinal = 1 DO NOTHING
        RETURNING id
      `),

    /**
     * Locks the first confirmation of the same payment, and returns it if there is one. Nobody else adds one until the
     * transaction ends.
     */
    lock: ({ amount, caseId, decisionId, organizationId, paymentDate }: ConfirmationRow) =>
      owners.first(sql`
        SELECT payment_id FROM payment_confirmations
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND payment_date = ${paymentDate}
          AND amount = ${amount}::numeric AND decision_id IS NOT DISTINCT FROM ${decisionId} AND ordinal = 1
        FOR NO KEY UPDATE
      `),

    /** Returns the newest confirmation of a payment. */
    newest: (organizationId: OrganizationId, paymentId: PaymentId) =>
      rows.one(sql`
        SELECT organization_id, id, payment_id, ordinal, case_id, decision_id, external_decision, status, trim_scale(amount)::text AS amount,
               payment_date::text AS payment_date, valid_until::text AS valid_until, description, reported_at
        FROM payment_confirmations WHERE organization_id = ${organizationId} AND payment_id = ${paymentId}
        ORDER BY ordinal DESC LIMIT 1
      `),

    /** Makes a first confirmation one of an existing payment. */
    setPayment: ({ id, organizationId }: ConfirmationRow, paymentId: PaymentId) =>
      execute(sql`
        UPDATE payment_confirmations SET payment_id = ${paymentId} WHERE organization_id = ${organizationId} AND id = ${id}
      `),

    isConfirmed: (organizationId: OrganizationId, paymentId: PaymentId) =>
      affects(sql`
        SELECT FROM payment_confirmations WHERE organization_id = ${organizationId} AND payment_id = ${paymentId}
      `)
  }
})
