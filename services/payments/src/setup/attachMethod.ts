import type { OrganizationId } from "@care/domain/ids"
import { PaymentTokenRefused } from "@care/domain/payments"
import { Effect } from "effect"
import { dieUnavailable, Stripe, StripeCalls } from "../stripe/index.ts"

/**
 * Makes the function that attaches a payment method to a customer of the gateway, and returns the method's id. A token (`tok_...`) becomes
 * a method first. `id` identifies the request in its repetitions. Fails when the method is unknown, another customer's, or declined.
 */
export const makeAttachMethod = Effect.gen(function* () {
  const calls = yield* StripeCalls
  const stripe = yield* Stripe

  const methodOf = (organizationId: OrganizationId, token: string, id: string) =>
    token.startsWith("tok_")
      ? Effect.map(
          calls.make({
            organizationId,
            operation: `method-${id}`,
            name: "paymentMethods.create",
            call: ({ paymentMethods }, key) => paymentMethods.create({ type: "card", card: { token } }, key),
            // Methods without a customer are in no list and have no effect, so creating another one is harmless.
            look: () => Effect.undefined
          }),
          (method) => method.id
        )
      : Effect.succeed(token)

  return Effect.fnUntraced(
    function* (organizationId: OrganizationId, customer: string, token: string, id: string) {
      if (!/^(pm|tok)_/.test(token)) return yield* new PaymentTokenRefused()
      const method = yield* methodOf(organizationId, token, id)
      const attached = yield* calls.make({
        organizationId,
        operation: `attach-${id}`,
        name: "paymentMethods.attach",
        call: ({ paymentMethods }, key) => paymentMethods.attach(method, { customer }, key),
        look: () =>
          Effect.map(
            stripe.ask(organizationId, "paymentMethods.retrieve", ({ paymentMethods }) =>
              paymentMethods.retrieve(method)
            ),
            (found) => (found.customer === customer ? found : undefined)
          )
      })
      return attached.id
    },
    (attached) => Effect.catchTag(attached, "StripeFailed", dieUnavailable),
    Effect.mapError(() => new PaymentTokenRefused())
  )
})
