import { type InitialPayment, PaymentId } from "@care/domain"
import { execute, PhiCipher, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const payments = rowsOf(Schema.Struct({ id: PaymentId }))

/** SQL of the payments of cases. Descriptions are stored sealed. */
export const makeCasePaymentsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  return {
    /** Stores the payment that a case begins with, unless it is there. */
    insertInitial: (id: PaymentId, { description, providerReference, ...payment }: InitialPayment, now: Date) =>
      execute(sql`
        INSERT INTO payments ${sql.insert({
          ...payment,
          id,
          description: description === null ? null : cipher.seal(description),
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
      payments.one(sql`
        SELECT id FROM payments WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND is_initial
      `)
  }
})
