import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestStripe, TestStripe } from "../../test/testStripe.ts"
import { Customers } from "./Customers.ts"

const layerParts = layerTestStripe.pipe(
  Layer.provideMerge(layerIdleJobs),
  Layer.provideMerge([layerAuditedDatabase("payments"), layerTestCipher])
)

layer(layerParts, { excludeTestServices: true, timeout: "60 seconds" })("Customers", (it) => {
  const newOwner = () => ({
    organizationId: OrganizationId.make(randomUUID()),
    userId: UserId.make(randomUUID()),
    email: `${randomUUID()}@example.com`
  })
  const operationsOf = ({ organizationId }: ReturnType<typeof newOwner>) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ operation: string }>`
        SELECT operation FROM stripe_calls WHERE organization_id = ${organizationId} ORDER BY began_at
      `
    )
  // Creates the customer in a new process, and then deletes them at Stripe.
  const createAndDelete = (owner: ReturnType<typeof newOwner>) =>
    Effect.gen(function* () {
      const { client } = yield* TestStripe
      const id = yield* (yield* Customers).findOrCreate(owner, randomUUID())
      yield* Effect.promise(() => client.customers.del(id))
    }).pipe(Effect.provide(Layer.fresh(Customers.layer)))

  it.effect(
    "an operation has a keyed hash of its customer's owner, the same after each start, and another with another key",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const owner = newOwner()
        yield* createAndDelete(owner)
        yield* createAndDelete(owner)
        const [first, ...more] = yield* operationsOf(owner)
        assert.deepStrictEqual(more, [])
        yield* sql`DELETE FROM idempotency_secrets`
        yield* createAndDelete(owner)
        const all = yield* operationsOf(owner)
        assert.lengthOf(all, 2)
        assert.deepStrictEqual(all[0], first)
      })
  )
})
