import { Email } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { SetupUnknown } from "@care/domain/payments"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type StripeClient from "stripe"
import { organizationIn } from "../stripe/factsOf.ts"
import { Stripe } from "../stripe/Stripe.ts"

/** A setup intent as far as we read it. */
export interface FoundSetup {
  readonly id: string
  /** Whose the intent, or else its customer, says that it is, if one does. */
  readonly organizationId: OrganizationId | undefined
  /** The email on the intent, or else that of its customer. */
  readonly email: string | undefined
  readonly customerId: string | undefined
  /** What was confirmed; undefined before. */
  readonly paymentMethodId: string | undefined
}

const decodeEmail = Schema.decodeUnknownOption(Email)

const read = ({ customer, id, metadata, payment_method: method, status }: StripeClient.SetupIntent): FoundSetup => {
  const known = customer === null || typeof customer === "string" || customer.deleted ? undefined : customer
  const methodId = typeof method === "string" ? method : method?.id
  return {
    id,
    organizationId: organizationIn({ metadata }) ?? organizationIn({ metadata: known?.metadata }),
    email: Option.getOrUndefined(decodeEmail(metadata?.["email"] ?? known?.email)),
    customerId: known?.id,
    paymentMethodId: status === "succeeded" ? methodId : undefined
  }
}

/** The setup intents that the gateway knows. */
export class SetupIntents extends Context.Service<
  SetupIntents,
  { readonly find: (id: string) => Effect.Effect<FoundSetup, SetupUnknown> }
>()("@care/payments/setup/SetupIntents") {
  static readonly layer = Layer.effect(
    SetupIntents,
    Effect.gen(function* () {
      const stripe = yield* Stripe

      return SetupIntents.of({
        find: Effect.fn("SetupIntents.find")(function* (id) {
          const unknown = new SetupUnknown({ setupId: id })
          if (!id.startsWith("seti_")) return yield* unknown
          const asked = stripe.ask("setupIntents.retrieve", (client) =>
            client.setupIntents.retrieve(id, { expand: ["customer"] })
          )
          return read(yield* Effect.mapError(asked, () => unknown))
        })
      })
    })
  )
}
