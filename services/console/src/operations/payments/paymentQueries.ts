import { AdminPaymentsApi } from "@care/domain/admin"
import type { PaymentId } from "@care/domain/ids"
import type { AdminPayment } from "@care/domain/payments"
import { type InfiniteData, queryOptions, useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"

/** The client of payments. */
export const { adminPayments } = Effect.runSync(clientOf(AdminPaymentsApi))

/** The key of all lists of payments. */
export const paymentsKey = ["payments"] as const

/** The key of all that is read of single payments. */
export const paymentKey = ["payment"] as const

/** A payment with its state at the payment gateway. */
export const paymentQuery = (paymentId: PaymentId) =>
  queryOptions({
    queryKey: [...paymentKey, paymentId],
    queryFn: ({ signal }) => send(adminPayments.get({ params: { paymentId } }), signal)
  })

const withPayment = <Page extends { readonly data: ReadonlyArray<AdminPayment> }>(
  page: Page,
  payment: AdminPayment
) => ({
  ...page,
  data: page.data.map((row) => (row.paymentId === payment.paymentId ? payment : row))
})

/** Returns what shows a payment as it is after a change, at once, and reads everything about payments again. */
export const usePaymentChanged = () => {
  const client = useQueryClient()
  return (payment: AdminPayment) => {
    client.setQueryData(paymentQuery(payment.paymentId).queryKey, payment)
    client.setQueriesData<InfiniteData<{ readonly data: ReadonlyArray<AdminPayment> }>>(
      { queryKey: paymentsKey },
      (list) => list && { ...list, pages: list.pages.map((page) => withPayment(page, payment)) }
    )
    void client.invalidateQueries({ queryKey: paymentsKey })
    void client.invalidateQueries({ queryKey: paymentKey })
  }
}
