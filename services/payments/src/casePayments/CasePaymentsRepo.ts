import { OrganizationId, PaymentId } from "@care/domain/ids"
import type { InitialPayment } from "@care/domain/payments"
import { execute, rowsOf, sealed, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const paymentIds = rowsOf(Schema.Struct({ id: PaymentId }))

const PaymentRow = sealedRow("payments", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: PaymentId,
  description: sealed(Schema.NullOr(Schema.String))
})

export const makeCasePaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const payments = yield* sealedRowsOf(PaymentRow)
  return {
    /** Stores the payment that a case begins with, unless it is there. */
    insertInitial: (id: PaymentId, { description, providerReference, ...payment }: InitialPayment, now: Date) =>
      execute(sql`
        INSERT INTO payments ${sql.insert({
          ...payment,
          ...payments.seal({ organizationId: payment.organizationId, id, description }),
          isInitial: true,
          status: "UNPAID",
          providerReferenceType: providerReference?.type ?? null,
          providerReferenceId: providerReference?.id ?? null,
          createdAt: now,
          updatedAt: now
        })}
        ON CONFLICT (organization_id, case_id) WHERE is_initial DO NOTHING
      `),

    getInitial: ({ caseId, organizationId }: Pick<InitialPayment, "caseId" | "organizationId">) =>
      paymentIds.one(sql`
        SELECT id FROM payments WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND is_initial
      `)
  }
})
