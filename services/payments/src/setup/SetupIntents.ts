import { Email } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { SetupUnknown } from "@care/domain/payments"
import { Context, Effect, Layer, Option, Schema } from "effect"
import type StripeClient from "stripe"
import { organizationIn, patientIn, Stripe } from "../stripe/index.ts"

/** The fields of a setup intent that are read. */
export interface FoundSetup {
  readonly id: string
  /** The organization in the metadata of the intent, or else of its customer. */
  readonly organizationId: OrganizationId | undefined
  /** The patient in the metadata of the intent, or else of its customer, if there is an organization. */
  readonly userId: UserId | undefined
  /** The email on the intent, or else that of its customer. */
  readonly email: string | undefined
  /** The customer's id, also of a deleted customer, who stays the organization's that had a method of theirs. */

  readonly customerId: string | undefined
  /** Whether the customer is deleted, and with it the confirmed method. */
  readonly isCustomerDeleted: boolean
  /** The confirmed method; undefined before the confirmation. */
  readonly paymentMethodId: string | undefined
}

const decodeEmail = Schema.decodeUnknownOption(Email)

const toFoundSetup = ({
  customer,
  id,
  metadata,
  payment_method: method,
  status
}: StripeClient.SetupIntent): FoundSetup => {
  const expanded = customer === null || typeof customer === "string" ? undefined : customer
  const existing = expanded?.deleted ? undefined : expanded
  const objects = [{ metadata }, { metadata: existing?.metadata }]
  const organizationId = objects.map(organizationIn).find((id) => id !== undefined)
  const methodId = typeof method === "string" ? method : method?.id
  return {
    id,
    organizationId,
    userId: organizationId && objects.map(patientIn).find((id) => id !== undefined),
    email: Option.getOrUndefined(decodeEmail(metadata?.["email"] ?? existing?.email)),
    customerId: typeof customer === "string" ? customer : customer?.id,
    isCustomerDeleted: expanded?.deleted === true,
    paymentMethodId: status === "succeeded" ? methodId : undefined
  }
}

/** The setup intents at the gateway. */
export class SetupIntents extends Context.Service<
  SetupIntents,
  { readonly find: (organizationId: OrganizationId, id: string) => Effect.Effect<FoundSetup, SetupUnknown> }
>()("@care/payments/setup/SetupIntents") {
  static readonly layer = Layer.effect(
    SetupIntents,
    Effect.gen(function* () {
      const stripe = yield* Stripe

      return SetupIntents.of({
        find: Effect.fn("SetupIntents.find")(function* (organizationId, id) {
          const unknown = new SetupUnknown({ setupId: id })
          if (!id.startsWith("seti_")) return yield* unknown
          const retrieve = stripe.ask(organizationId, "setupIntents.retrieve", (client) =>
            client.setupIntents.retrieve(id, { expand: ["customer"] })
          )
          return toFoundSetup(yield* Effect.mapError(retrieve, () => unknown))
        })
      })
    })
  )
}
