import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { makePatientKeys } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestStripe, TestStripe } from "../../test/testStripe.ts"
import { CustomerDeletions } from "../customers/CustomerDeletions.ts"
import { Customers } from "../customers/Customers.ts"
import { CustomerDeleted, SavedMethods } from "../customers/savedMethods/SavedMethods.ts"
import { makeForgetPatient } from "./makeForgetPatient.ts"

const layerPatients = Layer.mergeAll(CustomerDeletions.layer, Customers.layer, SavedMethods.layer).pipe(
  Layer.provideMerge(layerTestStripe),
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge(layerAuditedDatabase("payments")),
  Layer.provideMerge(layerTestCipher)
)

const patientOf = (organizationId: OrganizationId) => ({ organizationId, userId: UserId.make(randomUUID()) })
type Patient = ReturnType<typeof patientOf>

const newPatient = () => patientOf(OrganizationId.make(randomUUID()))

const save = (patient: Patient, customerId: string) =>
  Effect.flatMap(SavedMethods, (methods) => methods.save({ ...patient, customerId, paymentMethodId: "pm_1" }))

const forget = (patient: Patient) => Effect.flatMap(makeForgetPatient, (forgetPatient) => forgetPatient(patient))

// The customers of an organization whose deletion is decided. No job has run.

const deletedOf = ({ organizationId }: Patient) =>
  Effect.map(
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ customerId: string }>`
        SELECT customer_id FROM deleted_customers WHERE organization_id = ${organizationId} ORDER BY customer_id
      `
    ),
    (rows) => rows.map(({ customerId }) => customerId)
  )

const countJobs = Effect.map(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT FROM jobs WHERE queue_name = 'customer-deletion'`),
  (jobs) => jobs.length
)

layer(layerPatients, { excludeTestServices: true })("a patient who is erased", (it) => {
  it.effect("leaves no customer to the next owner of the email, also before the job has deleted it", () =>
    Effect.gen(function* () {
      const customers = yield* Customers
      const { client } = yield* TestStripe
      const patient = newPatient()
      const { organizationId, userId } = patient
      const email = `${randomUUID()}@example.com`
      const next = patientOf(organizationId)
      const { id } = yield* Effect.promise(() => client.customers.create({ email, metadata: { organizationId } }))
      assert.strictEqual(yield* customers.findOrCreate({ organizationId, email, userId: undefined }, "-"), id)
      yield* save(patient, id)
      const before = yield* countJobs
      yield* forget({ organizationId, userId })
      assert.deepStrictEqual([yield* deletedOf(patient), (yield* countJobs) - before], [[id], 1])
      for (const owner of [undefined, next.userId]) {
        assert.notStrictEqual(yield* customers.findOrCreate({ organizationId, email, userId: owner }, "-"), id)
      }
      assert.instanceOf(yield* Effect.flip(save(next, id)), CustomerDeleted)
      yield* forget(patient)
      assert.strictEqual((yield* countJobs) - before, 1)
    })
  )

  it.effect("of two concurrent erasures with the same customers the last deletes them, once", () =>
    Effect.gen(function* () {
      const patient = newPatient()
      const other = patientOf(patient.organizationId)
      const ids = [`cus_1${randomUUID()}`, `cus_2${randomUUID()}`]
      for (const id of ids) yield* save(patient, id)
      for (const id of ids.toReversed()) yield* save(other, id)
      const before = yield* countJobs
      yield* whileHeld(forget(patient), [forget(other)])
      assert.deepStrictEqual([yield* deletedOf(patient), (yield* countJobs) - before], [ids, 2])
    })
  )

  it.effect("leaves no customer when a method is saved after the erasure", () =>
    Effect.gen(function* () {
      const keys = yield* makePatientKeys
      const [patient, sharing] = [newPatient(), newPatient()]
      for (const { organizationId, userId } of [patient, sharing]) {
        yield* keys.of(organizationId, userId)
        yield* keys.destroy(organizationId, userId, yield* DateTime.nowAsDate)
      }
      const [own, shared] = [`cus_${randomUUID()}`, `cus_${randomUUID()}`]
      yield* save(patientOf(sharing.organizationId), shared)
      const before = yield* countJobs
      yield* save(patient, own)
      yield* save(sharing, shared)
      assert.deepStrictEqual(yield* Effect.forEach([patient, sharing], deletedOf), [[own], []])
      assert.strictEqual((yield* countJobs) - before, 1)
      assert.instanceOf(yield* Effect.flip(save(patientOf(patient.organizationId), own)), CustomerDeleted)
    })
  )
})
