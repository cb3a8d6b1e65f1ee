import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { makePatientKeys } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { inTransaction } from "@care/service-kit"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeDecideDeletion } from "../CustomerDeletions.ts"
import { makePatientCustomersRepo } from "../PatientCustomersRepo.ts"
import { CustomerDeleted, CustomerTaken, SavedMethods } from "./SavedMethods.ts"
import { makeSavedMethodsRepo } from "./SavedMethodsRepo.ts"

const layerMethods = SavedMethods.layer.pipe(
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(layerAuditedDatabase("payments")),
  Layer.provideMerge(layerTestCipher)
)

const shippingAddress = {
  addressLine1: "500 Howard Street",
  addressLine2: null,
  city: "San Francisco",
  state: "CA",
  country: "US",
  postalCode: "94105"
}

layer(layerMethods, { excludeTestServices: true })("SavedMethods", (it) => {
  const patient = () => ({ organizationId: OrganizationId.make(randomUUID()), userId: UserId.make(randomUUID()) })
  const methodOf = (customerId: string, paymentMethodId = "pm_1") => ({ customerId, paymentMethodId })
  const newMethod = () => methodOf(`cus_${randomUUID()}`)

  const rowOf = ({ organizationId, userId }: ReturnType<typeof patient>) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ shippingAddress: string | null }>`
        SELECT shipping_address FROM saved_methods WHERE organization_id = ${organizationId} AND user_id = ${userId}
      `
    )

  it.effect("the newest method of a patient replaces the previous one", () =>
    Effect.gen(function* () {
      const methods = yield* SavedMethods
      const someone = patient()
      const first = newMethod()
      const second = methodOf(first.customerId, "pm_2")
      yield* methods.save({ ...someone, ...first })
      yield* methods.save({ ...someone, ...second })
      const { organizationId, userId } = someone
      assert.deepStrictEqual(yield* methods.find(organizationId, userId), Option.some(second))
      assert.lengthOf(yield* rowOf(someone), 1)
    })
  )

  it.effect("another organization's patient of the same id has a method of their own, or none", () =>
    Effect.gen(function* () {
      const methods = yield* SavedMethods
      const someone = patient()
      yield* methods.save({ ...someone, ...newMethod() })
      assert.isTrue(Option.isNone(yield* methods.find(patient().organizationId, someone.userId)))
    })
  )

  it.effect("a method is not saved when it cannot be audited", () =>
    Effect.gen(function* () {
      const methods = yield* SavedMethods
      const sql = yield* SqlClient.SqlClient
      const [someone, first] = [patient(), newMethod()]
      const saved = yield* Effect.acquireUseRelease(
        sql`ALTER TABLE audit_waiting RENAME TO elsewhere`,
        () => Effect.exit(methods.save({ ...someone, ...first })),
        () => Effect.orDie(sql`ALTER TABLE elsewhere RENAME TO audit_waiting`)
      )
      assert.isTrue(Exit.isFailure(saved))
      assert.lengthOf(yield* rowOf(someone), 0)
      yield* methods.save({ ...someone, ...first })
      assert.lengthOf(yield* rowOf(someone), 1)
    })
  )

  it.effect("of 20 methods that are saved concurrently one stays", () =>
    Effect.gen(function* () {
      const methods = yield* SavedMethods
      const someone = patient()
      const { customerId } = newMethod()
      const saved = Array.from({ length: 20 }, (_, index) => methodOf(customerId, `pm_${index}`))
      yield* Effect.forEach(saved, (method) => methods.save({ ...someone, ...method }), { concurrency: "unbounded" })
      const found = yield* methods.find(someone.organizationId, someone.userId)
      assert.deepInclude(saved, Option.getOrThrow(found))
      assert.lengthOf(yield* rowOf(someone), 1)
    })
  )

  it.effect("the address is not readable in the database, and stays when a method comes without one", () =>
    Effect.gen(function* () {
      const methods = yield* SavedMethods
      const someone = patient()
      const first = newMethod()
      yield* methods.save({ ...someone, ...first, shippingAddress })
      const before = yield* rowOf(someone)
      assert.match(before[0]?.shippingAddress ?? "", /^[A-Za-z0-9_-]{22}:[A-Za-z0-9+/=]+$/)
      yield* methods.save({ ...someone, ...methodOf(first.customerId, "pm_2") })
      assert.deepStrictEqual(yield* rowOf(someone), before)
    })
  )

  it.effect(
    "a method that is saved during its patient's erasure is removed, or not stored and deleted at the gateway",
    () =>
      Effect.gen(function* () {
        const customers = yield* makePatientCustomersRepo
        const keys = yield* makePatientKeys
        const methods = yield* SavedMethods
        const repo = yield* makeSavedMethodsRepo
        const sql = yield* SqlClient.SqlClient
        const deletions = sql`SELECT FROM jobs WHERE queue_name = 'customer-deletion'`
        for (const isFirst of [true, false]) {
          const someone = patient()
          const { organizationId, userId } = someone
          yield* keys.of(organizationId, userId)
          const now = yield* DateTime.nowAsDate
          const saved = Effect.asVoid(methods.save({ ...someone, ...newMethod(), shippingAddress }))
          const destroyed = Effect.asVoid(keys.destroy(organizationId, userId, now))
          yield* isFirst ? whileHeld(saved, [destroyed]) : whileHeld(destroyed, [saved])
          assert.lengthOf(yield* rowOf(someone), isFirst ? 1 : 0)
          yield* repo.remove(organizationId, userId)
          yield* customers.remove(organizationId, userId)
          yield* saved
          assert.lengthOf(yield* rowOf(someone), 0)
        }
        assert.lengthOf(yield* deletions, 3)
      })
  )

  it.effect("a customer belongs to others when patients of the organization have or had it, and this one never", () =>
    Effect.gen(function* () {
      const methods = yield* SavedMethods
      const [someone, other] = [patient(), patient()]
      const { organizationId, userId } = someone
      const [method, newer] = [newMethod(), newMethod()]
      const others = (userId?: UserId) => methods.belongsToOthers(organizationId, method.customerId, userId)
      assert.deepStrictEqual([yield* others(), yield* others(userId)], [false, false])
      yield* methods.save({ ...other, organizationId, ...method })
      assert.deepStrictEqual([yield* others(), yield* others(userId)], [true, true])
      assert.isFalse(yield* methods.belongsToOthers(other.organizationId, method.customerId, userId))
      yield* methods.save({ ...other, organizationId, ...newer })
      assert.deepStrictEqual([yield* others(), yield* others(userId)], [true, true])
      yield* methods.save({ ...someone, ...method })
      yield* methods.save({ ...someone, ...newer })
      assert.deepStrictEqual([yield* others(), yield* others(userId)], [true, false])
    })
  )

  it.effect(
    "a method saved during the deletion of its customer: it is saved and nothing deleted, or it is not saved",
    () =>
      Effect.gen(function* () {
        const decide = yield* makeDecideDeletion
        const methods = yield* SavedMethods
        for (const isFirst of [true, false]) {
          const someone = patient()
          const { organizationId, userId } = someone
          const method = newMethod()
          const saved = Effect.isSuccess(methods.save({ ...someone, ...method }))
          const deleted = decide(organizationId, method.customerId)
          const [first, [second]] = yield* isFirst ? whileHeld(saved, [deleted]) : whileHeld(deleted, [saved])
          assert.deepStrictEqual([first, second], [true, false])
          const found = yield* methods.find(organizationId, userId)
          assert.deepStrictEqual(found, isFirst ? Option.some(method) : Option.none())
        }
      })
  )

  it.effect("of two concurrent organizations one has the customer, also once the customer's deletion is decided", () =>
    Effect.gen(function* () {
      const customers = yield* makePatientCustomersRepo
      const decide = yield* makeDecideDeletion
      const methods = yield* SavedMethods
      const [someone, other] = [patient(), patient()]
      const { organizationId, userId } = someone
      const method = newMethod()
      const refusal = Effect.flip(methods.save({ ...other, ...method }))
      const [, [concurrentRefusal]] = yield* whileHeld(methods.save({ ...someone, ...method }), [refusal])
      assert.instanceOf(concurrentRefusal, CustomerTaken)
      assert.isTrue(Option.isNone(yield* methods.find(other.organizationId, other.userId)))
      yield* customers.remove(organizationId, userId)
      assert.isTrue(yield* decide(organizationId, method.customerId))
      assert.instanceOf(yield* refusal, CustomerTaken)
      assert.instanceOf(yield* Effect.flip(methods.save({ ...someone, ...method })), CustomerDeleted)
    })
  )

  it.effect("a customer whom two organizations already share stays shared, and is deleted with the last patient", () =>
    Effect.gen(function* () {
      const customers = yield* makePatientCustomersRepo
      const decide = yield* makeDecideDeletion
      const methods = yield* SavedMethods
      const patients = [patient(), patient()]
      const method = newMethod()
      for (const { organizationId, userId } of patients) yield* customers.add(organizationId, method.customerId, userId)
      for (const someone of patients) yield* methods.save({ ...someone, ...method })
      const decisions = yield* Effect.forEach(patients, ({ organizationId, userId }) =>
        Effect.andThen(customers.remove(organizationId, userId), decide(organizationId, method.customerId))
      )
      assert.deepStrictEqual(decisions, [false, true])
    })
  )

  it.effect("a method is saved with the transaction that it came in, or not at all", () =>
    Effect.gen(function* () {
      const methods = yield* SavedMethods
      const sql = yield* SqlClient.SqlClient
      const someone = patient()
      const saved = methods.save({ ...someone, ...newMethod() })
      yield* Effect.flip(inTransaction(sql)(Effect.andThen(saved, Effect.fail("refused"))))
      assert.isTrue(Option.isNone(yield* methods.find(someone.organizationId, someone.userId)))
      yield* inTransaction(sql)(saved)
      assert.isTrue(Option.isSome(yield* methods.find(someone.organizationId, someone.userId)))
    })
  )
})
