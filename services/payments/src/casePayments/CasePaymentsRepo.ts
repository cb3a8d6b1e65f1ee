import { type InitialPayment, PaymentId } from "@care/domain"
import { PhiCipher } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** SQL of the payments of cases. Descriptions are stored sealed. */
export class CasePaymentsRepo extends Context.Service<
  CasePaymentsRepo,
  {
    /** Stores the payment that a case begins with, unless it is there: the id of the one that is there. */
    readonly insertInitial: (id: PaymentId, payment: InitialPayment, now: Date) => Effect.Effect<PaymentId>
  }
>()("@care/payments/casePayments/CasePaymentsRepo") {
  static readonly layer = Layer.effect(
    CasePaymentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* PhiCipher

      const findInitial = SqlSchema.findOne({
        Request: Schema.Struct({ organizationId: Schema.String, caseId: Schema.String }),
        Result: Schema.Struct({ id: PaymentId }),
        execute: ({ caseId, organizationId }) => sql`
          SELECT id FROM payments WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND is_initial
        `
      })

      const insertInitial = Effect.fnUntraced(function* (
        id: PaymentId,
        { description, providerReference, ...payment }: InitialPayment,
        now: Date
      ) {
        yield* sql`
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
        `
        return (yield* findInitial(payment)).id
      })

      return CasePaymentsRepo.of({
        insertInitial: (id, payment, now) => Effect.orDie(insertInitial(id, payment, now))
      })
    })
  )
}
