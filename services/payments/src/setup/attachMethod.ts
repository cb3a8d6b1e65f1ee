import { PaymentTokenRefused } from "@care/domain/payments"
import { Effect } from "effect"
import { Stripe } from "../stripe/Stripe.ts"

/**
 * Makes the function that gives a customer of the gateway a payment method: the id of the method, which a token (`tok_...`)
 * becomes by that. `id` says that it is the same request again. Refuses what the gateway does not know, what is another
 * customer's, and what the bank declines.
 */
export const makeAttachMethod = Effect.gen(function* () {
  const stripe = yield* Stripe

  const methodOf = (token: string, id: string) =>
    token.startsWith("tok_")
      ? Effect.map(
          stripe.ask("paymentMethods.create", (client) =>
            client.paymentMethods.create({ type: "card", card: { token } }, { idempotencyKey: `method-${id}` })
          ),
          (method) => method.id
        )
      : Effect.succeed(token)

  return Effect.fnUntraced(
    function* (customer: string, token: string, id: string) {
      if (!/^(pm|tok)_/.test(token)) return yield* new PaymentTokenRefused()
      const method = yield* methodOf(token, id)
      const attached = yield* stripe.ask("paymentMethods.attach", (client) =>
        client.paymentMethods.attach(method, { customer }, { idempotencyKey: `attach-${id}` })
      )
      return attached.id
    },
    Effect.mapError(() => new PaymentTokenRefused())
  )
})
