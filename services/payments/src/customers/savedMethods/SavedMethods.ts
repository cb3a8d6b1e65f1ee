import { Audit } from "@care/audit"
import type { KnownAddress, ReportedAddress } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { makePatientKeys } from "@care/phi"
import { affects, inTransaction, Time } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CustomerDeletions, makeDeleteCustomer } from "../CustomerDeletions.ts"
import { makeDeletedCustomersRepo } from "../DeletedCustomersRepo.ts"
import { makePatientCustomersRepo } from "../PatientCustomersRepo.ts"
import { makeSavedMethodsRepo, type SavedMethod } from "./SavedMethodsRepo.ts"

/** A confirmed method of a patient, with a shipping address if one was given. */
interface NewMethod extends SavedMethod {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly shippingAddress?: KnownAddress
}

/** The customer is deleted with an erased patient, so none of their methods can pay. */
export class CustomerDeleted extends Data.TaggedError("CustomerDeleted") {}

/** The customer names no organization, and another organization's patient had a method of theirs first. */
export class CustomerTaken extends Data.TaggedError("CustomerTaken") {}

/**
 * The saved payment methods of patients, for payments without them. A method is the patient's, so that all of their
 * cases use it.
 */
export class SavedMethods extends Context.Service<
  SavedMethods,
  {
    /** Returns the shipping address of a patient, if one was given with a method. */
    readonly address: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<ReportedAddress | null>
    readonly find: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<Option.Option<SavedMethod>>
    /** Returns whether others have or had a method of a customer, and this patient never had. */
    readonly belongsToOthers: (
      organizationId: OrganizationId,
      customerId: string,
      userId: UserId | undefined
    ) => Effect.Effect<boolean>
    /**
     * Saves the method of a patient, replacing the previous one, inside the caller's transaction if there is one. A
     * customer without an organization becomes the organization's. Without an address the known one stays. For an
     * erased patient it saves nothing, and deletes the customer unless another patient uses it.
     */
    readonly save: (method: NewMethod) => Effect.Effect<void, CustomerDeleted | CustomerTaken>
  }
>()("@care/payments/savedMethods/SavedMethods") {
  static readonly layer = Layer.effect(
    SavedMethods,
    Effect.gen(function* () {
      const audit = yield* Audit
      const customers = yield* makePatientCustomersRepo
      const deletedCustomers = yield* makeDeletedCustomersRepo
      const deleteCustomer = yield* makeDeleteCustomer
      const repo = yield* makeSavedMethodsRepo
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient

      return SavedMethods.of({
        find: Effect.fn("SavedMethods.find")(repo.find),

        address: Effect.fn("SavedMethods.address")(function* (organizationId, userId) {
          const found = Option.getOrUndefined(yield* repo.findAddress(organizationId, userId))
          if (found === undefined || found.shippingAddress === null) return null
          return { address: found.shippingAddress, reportedAt: found.addressReportedAt ?? found.savedAt }
        }),
        belongsToOthers: Effect.fn("SavedMethods.belongsToOthers")(customers.belongsToOthers),

        save: Effect.fn("SavedMethods.save")(function* (method) {
          const savedAt = yield* Time.nowAsDate
          const { customerId, organizationId, userId } = method
          const key = yield* patientKeys.of(organizationId, userId)
          // A parallel erasure waits for this lock and removes the method, or it was first and has destroyed the key.
          if (!(yield* affects(patientKeys.held(key)))) return yield* deleteCustomer(organizationId, customerId)
          // A parallel deletion waits for this lock and finds the method, or it was decided first. Another organization
          // waits, and finds the customer taken.
          yield* deletedCustomers.lockCustomer(customerId)
          if (yield* customers.isTaken(organizationId, customerId)) return yield* new CustomerTaken()
          if (yield* deletedCustomers.has(organizationId, customerId)) return yield* new CustomerDeleted()
          const shippingAddress = method.shippingAddress ?? null
          const addressReportedAt = shippingAddress === null ? null : savedAt
          yield* customers.add(organizationId, customerId, userId)
          yield* repo.save(key, { ...method, shippingAddress, savedAt, addressReportedAt })
          yield* audit.changed({ organizationId, action: "PAYMENT_METHOD_SAVED", userId })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(CustomerDeletions.layer))
}
