import { Email } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { SetupUnknown } from "@care/domain/payments"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type StripeClient from "stripe"
import { organizationIn, patientIn, Stripe } from "../stripe/index.ts"

/** A setup intent as far as we read it. */
export interface FoundSetup {
  readonly id: string
  /** Whose the intent, or else its customer, says that it is, if one does. */
  readonly organizationId: OrganizationId | undefined
  /** The patient whom the intent, or else its customer, names beside the organization. */
  readonly userId: UserId | undefined
  /** The email on the intent, or else that of its customer. */
  readonly email: string | undefined
  /** Also that of a customer who is gone, who stays the organization's that had a method of theirs. */
  readonly customerId: string | undefined
  /** The customer is gone, and with it what was confirmed. */
  readonly isCustomerDeleted: boolean
  /** What was confirmed; undefined before. */
  readonly paymentMethodId: string | undefined
}

const decodeEmail = Schema.decodeUnknownOption(Email)

const read = ({ customer, id, metadata, payment_method: method, status }: StripeClient.SetupIntent): FoundSetup => {
  const expanded = customer === null || typeof customer === "string" ? undefined : customer
  const known = expanded?.deleted ? undefined : expanded
  const owned = [{ metadata }, { metadata: known?.metadata }]
  const organizationId = owned.map(organizationIn).find((id) => id !== undefined)
  const methodId = typeof method === "string" ? method : method?.id
  return {
    id,
    organizationId,
    userId: organizationId && owned.map(patientIn).find((id) => id !== undefined),
    email: Option.getOrUndefined(decodeEmail(metadata?.["email"] ?? known?.email)),
    customerId: typeof customer === "string" ? customer : customer?.id,
    isCustomerDeleted: expanded?.deleted === true,
    paymentMethodId: status === "succeeded" ? methodId : undefined
  }
}

/** The setup intents that the gateway knows. */
export class SetupIntents extends Context.Service<
  SetupIntents,
  { readonly find: (calledFor: OrganizationId, id: string) => Effect.Effect<FoundSetup, SetupUnknown> }
>()("@care/payments/setup/SetupIntents") {
  static readonly layer = Layer.effect(
    SetupIntents,
    Effect.gen(function* () {
      const stripe = yield* Stripe

      return SetupIntents.of({
        find: Effect.fn("SetupIntents.find")(function* (calledFor, id) {
          const unknown = new SetupUnknown({ setupId: id })
          if (!id.startsWith("seti_")) return yield* unknown
          const asked = stripe.ask(calledFor, "setupIntents.retrieve", (client) =>
            client.setupIntents.retrieve(id, { expand: ["customer"] })
          )
          return read(yield* Effect.mapError(asked, () => unknown))
        })
      })
    })
  )
}
