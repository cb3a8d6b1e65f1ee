import { Audit } from "@care/audit"
import type { KnownAddress, ReportedAddress } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { makePatientKeys } from "@care/phi"
import { finds, inTransaction } from "@care/service-kit"
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerDeletions, makeDeleteCustomer } from "../CustomerDeletions.ts"
import { makeDeletedCustomersRepo } from "../DeletedCustomersRepo.ts"
import { makePatientCustomersRepo } from "../PatientCustomersRepo.ts"
import { makeSavedMethodsRepo, type SavedMethod } from "./SavedMethodsRepo.ts"

/** A method that a patient has confirmed, and where things are sent to, if that was told with it. */
interface NewMethod extends SavedMethod {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly shippingAddress?: KnownAddress
}

/** The gateway's customer is deleted with a patient who was erased, so no method of theirs pays anything. */
export class CustomerDeleted extends Data.TaggedError("CustomerDeleted") {}

/** The gateway's customer says no organization, and another one's patients had a method of theirs first. */
export class CustomerTaken extends Data.TaggedError("CustomerTaken") {}

/**
 * What patients pay with when nobody is there to ask. A method belongs to the patient, so that it is the one of each of the
 * patient's cases, later ones among them.
 */
export class SavedMethods extends Context.Service<
  SavedMethods,
  {
    /** Where things are sent to, of all cases of a patient, if that was told with a method. */
    readonly address: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<ReportedAddress | null>
    readonly find: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<Option.Option<SavedMethod>>
    /**
     * Whether others have, or have once had, a method of a customer of the gateway, and the patient, if there is one, never had.
     */
    readonly isOthers: (
      organizationId: OrganizationId,
      customerId: string,
      userId: UserId | undefined
    ) => Effect.Effect<boolean>
    /**
     * Makes a method the patient's, instead of the one before, inside the caller's transaction if there is one, and a customer
     * who is nobody's yet the organization's. An address that is known stays when none is given. Of a patient who was erased
     * nothing is kept, and the gateway's customer is deleted unless another patient pays with it.
     */
    readonly save: (method: NewMethod) => Effect.Effect<void, CustomerDeleted | CustomerTaken>
  }
>()("@care/payments/savedMethods/SavedMethods") {
  static readonly layer = Layer.effect(
    SavedMethods,
    Effect.gen(function* () {
      const audit = yield* Audit
      const customers = yield* makePatientCustomersRepo
      const deleted = yield* makeDeletedCustomersRepo
      const deleteCustomer = yield* makeDeleteCustomer
      const repo = yield* makeSavedMethodsRepo
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient

      return SavedMethods.of({
        find: Effect.fn("SavedMethods.find")(repo.find),

        address: Effect.fn("SavedMethods.address")(function* (organizationId, userId) {
          const found = Option.getOrUndefined(yield* repo.findAddress(organizationId, userId))
          if (found === undefined || found.shippingAddress === null) return null
          return { address: found.shippingAddress, toldAt: found.addressToldAt ?? found.savedAt }
        }),
        isOthers: Effect.fn("SavedMethods.isOthers")(customers.isOthers),

        save: Effect.fn("SavedMethods.save")(function* (method) {
          const savedAt = yield* DateTime.nowAsDate
          const { customerId, organizationId, userId } = method
          const key = yield* patientKeys.of(organizationId, userId)
          // An erasure waits, and removes the method; or it came first, and the key is found destroyed.
          if (!(yield* finds(patientKeys.held(key)))) return yield* deleteCustomer(organizationId, customerId)
          // A deletion waits, and finds the method; or it was decided first. Another organization waits, and finds it taken.
          yield* deleted.takeTurn(customerId)
          if (yield* customers.isTaken(organizationId, customerId)) return yield* new CustomerTaken()
          if (yield* deleted.has(organizationId, customerId)) return yield* new CustomerDeleted()
          const shippingAddress = method.shippingAddress ?? null
          const addressToldAt = shippingAddress === null ? null : savedAt
          yield* customers.add(organizationId, customerId, userId)
          yield* repo.save(key, { ...method, shippingAddress, savedAt, addressToldAt })
          yield* audit.changed({ organizationId, action: "PAYMENT_METHOD_SAVED", userId })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(CustomerDeletions.layer))
}
