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
import { Once, onceOperation } from "@care/once"
import { makePatientKeys } from "@care/phi"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { type CustomerOwner, Customers, makePatientCustomersRepo, SavedMethods } from "../customers/index.ts"
import { Directory } from "../Directory.ts"
import { hasOtherCells } from "../hasOtherCells.ts"
import { makeAttachMethod } from "./attachMethod.ts"
import { type FoundSetup, SetupIntents } from "./SetupIntents.ts"

const ids = { customerId: Uuid, methodId: Uuid }
type Ids = { readonly [Id in keyof typeof ids]: string }

const completion = onceOperation({ name: "completePaymentSetup", version: 1, ids, answer: Schema.Void })
const infoUpdate = onceOperation({ name: "updatePaymentInfo", version: 1, ids, answer: Schema.Void })

type Refusal = SetupUnknown | SetupUnconfirmed | PaymentTokenRefused | IdempotencyConflict

/** Saves methods that patients have confirmed at the gateway, for the payments of their cases. */
export class PaymentSetups extends Context.Service<
  PaymentSetups,
  {
    /**
     * Saves the method of a confirmed setup intent for the patient whom the intent or its customer names: by id, or else by email, unless
     * the customer belongs to another patient by now.
     */
    readonly complete: (
      organizationId: OrganizationId,
      setup: PaymentSetup,
      idempotencyKey: string | undefined
    ) => Effect.Effect<void, Refusal | SetupDenied>
    /**
     * Saves a method for the patient with an email: that of a setup intent of the organization, or another one, which is attached to the
     * intent's customer.
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
      const hasOthers = yield* hasOtherCells
      const patientCustomers = yield* makePatientCustomersRepo
      const patientKeys = yield* makePatientKeys
      const methods = yield* SavedMethods
      const setups = yield* SetupIntents

      // A customer of another organization is refused with `foreign`, as if the customer named that organization.
      const save = <E>(method: Parameters<typeof methods.save>[0], foreign: E) =>
        methods.save(method).pipe(
          Effect.catchTags({
            CustomerDeleted: () => Effect.fail(new PaymentTokenRefused()),
            CustomerTaken: () => Effect.fail(foreign)
          })
        )

      // Returns whether the setup intent, or its customer, belongs to another organization, or might belong to one of another cell.
      const isForeign = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { customerId, organizationId: owner }: FoundSetup
      ) {
        if (owner !== undefined && owner !== organizationId) return true
        if (customerId === undefined) return false
        return (owner === undefined && hasOthers) || (yield* patientCustomers.isTaken(organizationId, customerId))
      })

      // Returns the patient whom a setup intent names, unless it is another organization's. An email is its current owner's.
      const patientOf = Effect.fnUntraced(function* (organizationId: OrganizationId, setup: FoundSetup) {
        const { email, userId } = setup
        if (yield* isForeign(organizationId, setup)) return Option.none<UserId>()
        if (userId === undefined) {
          return email === undefined
            ? Option.none<UserId>()
            : yield* directory.findPatientByEmail(organizationId, email)
        }
        return (yield* patientKeys.isErased(organizationId, userId)) ? Option.none<UserId>() : Option.some(userId)
      })

      // Returns whether a setup intent may be used by the organization. One that was created elsewhere, and names nobody, may.
      const isOwn = (organizationId: OrganizationId, setup: FoundSetup) =>
        setup.organizationId === organizationId || (setup.organizationId === undefined && setup.email === undefined)
          ? Effect.map(isForeign(organizationId, setup), (foreign) => !foreign)
          : Effect.map(patientOf(organizationId, setup), Option.isSome)

      const methodOf = Effect.fnUntraced(function* (
        setup: FoundSetup,
        token: string | undefined,
        owner: CustomerOwner,
        { customerId, methodId }: Ids
      ) {
        const confirmed = setup.paymentMethodId
        if (confirmed === undefined) return yield* new SetupUnconfirmed({ setupId: setup.id })
        if (token === undefined || token === confirmed) {
          if (setup.isCustomerDeleted) return yield* new PaymentTokenRefused()
          if (setup.customerId !== undefined) return { customerId: setup.customerId, paymentMethodId: confirmed }
        }
        const findOrCreate = Effect.mapError(customers.findOrCreate(owner, customerId), () => new PaymentTokenRefused())
        const customer = (setup.isCustomerDeleted ? undefined : setup.customerId) ?? (yield* findOrCreate)
        return {
          customerId: customer,
          paymentMethodId: yield* attachMethod(owner.organizationId, customer, token ?? confirmed, methodId)
        }
      })

      const beginCompletion = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { gatewaySetupID, shippingAddress: { line1, line2, postal_code, ...place } }: PaymentSetup,
        ids: Ids
      ) {
        const setup = yield* setups.find(organizationId, gatewaySetupID)
        const { customerId, email } = setup
        const patient = yield* patientOf(organizationId, setup)
        if (Option.isNone(patient)) return yield* new SetupDenied()
        const owner = { organizationId, email, userId: patient.value }
        const isByEmail = customerId !== undefined && setup.userId === undefined
        if (isByEmail && !(yield* customers.isFree(customerId, owner))) return yield* new SetupDenied()
        const method = yield* methodOf(setup, undefined, owner, ids)
        // The customer stays the patient's, whoever has the email later.
        if (isByEmail && setup.organizationId !== undefined) {
          yield* Effect.mapError(customers.assign(customerId, owner), () => new PaymentTokenRefused())
        }
        const shippingAddress = { ...place, addressLine1: line1, addressLine2: line2 ?? null, postalCode: postal_code }
        return save({ organizationId, userId: owner.userId, ...method, shippingAddress }, new SetupDenied())
      })

      const beginUpdate = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { email, gatewayPaymentToken, gatewaySetupId, shippingAddress }: PaymentInfo,
        ids: Ids
      ) {
        const patient = yield* directory.findPatientByEmail(organizationId, email)
        if (Option.isNone(patient)) return yield* new EmailUnknown({ email })
        const setup = yield* setups.find(organizationId, gatewaySetupId)
        const unknown = new SetupUnknown({ setupId: gatewaySetupId })
        if (!(yield* isOwn(organizationId, setup))) return yield* unknown
        const owner = { organizationId, email, userId: patient.value }
        const method = yield* methodOf(setup, gatewayPaymentToken, owner, ids)
        return save({ organizationId, userId: owner.userId, ...method, shippingAddress }, unknown)
      })

      return PaymentSetups.of({
        complete: Effect.fn("PaymentSetups.complete")((organizationId, setup, key) =>
          once.run(completion, { organizationId, key, body: setup }, (ids) =>
            beginCompletion(organizationId, setup, ids)
          )
        ),
        updateInfo: Effect.fn("PaymentSetups.updateInfo")((organizationId, info, key) =>
          once.run(infoUpdate, { organizationId, key, body: info }, (ids) => beginUpdate(organizationId, info, ids))
        )
      })
    })
  ).pipe(Layer.provide([Customers.layer, SavedMethods.layer, SetupIntents.layer]))
}
