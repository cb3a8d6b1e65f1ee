import { EmailUnknown } from "@care/domain/auth"
import type { IdempotencyConflict } from "@care/domain/http"
import { type OrganizationId, type UserId, Uuid } from "@care/domain/ids"
import {
  type PaymentInfo,
  type PaymentSetup,
  PaymentTokenRefused,
  SetupDenied,
  SetupUnconfirmed,
  SetupUnknown
} from "@care/domain/payments"
import { Once, onceOperation } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Customers } from "../customers/Customers.ts"
import { Directory } from "../directory/Directory.ts"
import { SavedMethods } from "../savedMethods/SavedMethods.ts"
import { makeAttachMethod } from "./attachMethod.ts"
import { type FoundSetup, SetupIntents } from "./SetupIntents.ts"

const ids = { customerId: Uuid, methodId: Uuid }
type Ids = { readonly [Id in keyof typeof ids]: string }

const completion = onceOperation({ name: "completePaymentSetup", version: 1, ids, answer: Schema.Void })
const infoUpdate = onceOperation({ name: "updatePaymentInfo", version: 1, ids, answer: Schema.Void })

type Refusal = SetupUnknown | SetupUnconfirmed | PaymentTokenRefused | IdempotencyConflict

/** How a method that a patient confirmed at the gateway becomes the one that the patient's cases are paid with. */
export class PaymentSetups extends Context.Service<
  PaymentSetups,
  {
    /** The method of a confirmed setup intent, for the patient whose email is on the intent or its customer. */
    readonly complete: (
      organizationId: OrganizationId,
      setup: PaymentSetup,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, Refusal | SetupDenied>
    /**
     * The same for the patient with an email, whoever of the organization confirmed it, and with another method if the
     * intent's customer can have that.
     */
    readonly updateInfo: (
      organizationId: OrganizationId,
      info: PaymentInfo,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, Refusal | EmailUnknown>
  }
>()("@care/payments/setup/PaymentSetups") {
  static readonly layer = Layer.effect(
    PaymentSetups,
    Effect.gen(function* () {
      const attachMethod = yield* makeAttachMethod
      const customers = yield* Customers
      const once = yield* Once
      const directory = yield* Directory
      const saved = yield* SavedMethods
      const setups = yield* SetupIntents

      const save = (method: Parameters<typeof saved.save>[0]) =>
        Effect.mapError(saved.save(method), () => new PaymentTokenRefused())

      // The patient whom a setup intent names, unless it was made for another organization.
      const patientOf = (organizationId: OrganizationId, { email, organizationId: owner }: FoundSetup) =>
        email === undefined || (owner !== undefined && owner !== organizationId)
          ? Effect.succeed(Option.none<UserId>())
          : directory.patientWith(organizationId, email)

      // One that was made elsewhere, and names nobody, is whose it is said to be.
      const isOwn = (organizationId: OrganizationId, setup: FoundSetup) =>
        setup.organizationId === organizationId || (setup.organizationId === undefined && setup.email === undefined)
          ? Effect.succeed(true)
          : Effect.map(patientOf(organizationId, setup), Option.isSome)

      const methodOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        setup: FoundSetup,
        token: string | undefined,
        email: string | undefined,
        { customerId, methodId }: Ids
      ) {
        const confirmed = setup.paymentMethodId
        if (confirmed === undefined) return yield* new SetupUnconfirmed({ setupId: setup.id })
        if (setup.customerId !== undefined && (token === undefined || token === confirmed)) {
          return { customerId: setup.customerId, paymentMethodId: confirmed }
        }
        const made = Effect.mapError(
          customers.withEmail(organizationId, email, customerId),
          () => new PaymentTokenRefused()
        )
        const customer = setup.customerId ?? (yield* made)
        return { customerId: customer, paymentMethodId: yield* attachMethod(customer, token ?? confirmed, methodId) }
      })

      const completed = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { gatewaySetupID, shippingAddress: { line1, line2, postal_code, ...place } }: PaymentSetup,
        ids: Ids
      ) {
        const setup = yield* setups.find(gatewaySetupID)
        const patient = yield* patientOf(organizationId, setup)
        if (Option.isNone(patient)) return yield* new SetupDenied()
        const method = yield* methodOf(organizationId, setup, undefined, setup.email, ids)
        const shippingAddress = { ...place, addressLine1: line1, addressLine2: line2 ?? null, postalCode: postal_code }
        return save({ organizationId, userId: patient.value, ...method, shippingAddress })
      })

      const updated = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { email, gatewayPaymentToken, gatewaySetupId, shippingAddress }: PaymentInfo,
        ids: Ids
      ) {
        const patient = yield* directory.patientWith(organizationId, email)
        if (Option.isNone(patient)) return yield* new EmailUnknown({ email })
        const setup = yield* setups.find(gatewaySetupId)
        if (!(yield* isOwn(organizationId, setup))) return yield* new SetupUnknown({ setupId: gatewaySetupId })
        const method = yield* methodOf(organizationId, setup, gatewayPaymentToken, email, ids)
        return save({ organizationId, userId: patient.value, ...method, shippingAddress })
      })

      return PaymentSetups.of({
        complete: Effect.fn("PaymentSetups.complete")((organizationId, setup, key) =>
          once.run(completion, { organizationId, key, body: setup }, (ids) => completed(organizationId, setup, ids))
        ),
        updateInfo: Effect.fn("PaymentSetups.updateInfo")((organizationId, info, key) =>
          once.run(infoUpdate, { organizationId, key, body: info }, (ids) => updated(organizationId, info, ids))
        )
      })
    })
  ).pipe(Layer.provide([Customers.layer, SavedMethods.layer, SetupIntents.layer]))
}
