import { layerAuditedDatabase } from "@care/audit/testing"
import type { Organization } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { oldest, type Page } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { OrganizationReplication } from "./OrganizationReplication.ts"
import { Organizations } from "./Organizations.ts"
import { makeOrganizationsRepo } from "./OrganizationsRepo.ts"

const TestLayer = Organizations.layer.pipe(
  Layer.provide(OrganizationReplication.layer),
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("auth"), layerTestCipher))
)

layer(TestLayer)("Organizations", (it) => {
  it.effect("returns the created organization", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const created = yield* organizations.create("Acme")
      assert.deepStrictEqual(yield* organizations.get(created.id), created)
      assert.isFalse(created.isDisabled)
    })
  )

  it.effect("changes only the fields of the change", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { id } = yield* organizations.create("Before")
      const disabled = yield* organizations.update(id, { isDisabled: true })
      assert.deepStrictEqual([disabled.name, disabled.isDisabled], ["Before", true])
      const renamed = yield* organizations.update(id, { name: "After" })
      assert.deepStrictEqual([renamed.name, renamed.isDisabled], ["After", true])
    })
  )

  it.effect(
    "is replicated when it is disabled or enabled, or its support may read answers, and not when it is renamed",
    () =>
      Effect.gen(function* () {
        const organizations = yield* Organizations
        const sql = yield* SqlClient.SqlClient
        const { snapshots } = yield* makeOrganizationsRepo
        const { id } = yield* organizations.create("Before")
        yield* organizations.update(id, { isDisabled: true })
        yield* organizations.update(id, { name: "After" })
        assert.lengthOf(
          yield* sql`SELECT id FROM jobs WHERE queue_name = 'organization-replication' AND organization_id = ${id}`,
          1
        )
        const snapshot = { organizationId: id, isDisabled: true }
        assert.deepStrictEqual(yield* snapshots(id), [{ ...snapshot, version: 3, supportMayReadAnswers: false }])
        const jobs = sql`SELECT id FROM jobs WHERE queue_name = 'organization-replication' AND organization_id = ${id}`
        const before = (yield* jobs).length
        yield* organizations.update(id, { supportMayReadAnswers: true })
        assert.isAbove((yield* jobs).length, before)
        assert.deepStrictEqual(yield* snapshots(id), [{ ...snapshot, version: 4, supportMayReadAnswers: true }])
      })
  )

  it.effect("keeps its contact until the contact is changed or removed", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const { contactEmail, id } = yield* organizations.create("Contacted", "first@example.com")
      assert.strictEqual(contactEmail, "first@example.com")
      assert.strictEqual((yield* organizations.update(id, { name: "Renamed" })).contactEmail, "first@example.com")
      yield* organizations.update(id, { contactEmail: "second@example.com" })
      assert.strictEqual((yield* organizations.get(id)).contactEmail, "second@example.com")
      assert.isNull((yield* organizations.update(id, { contactEmail: null })).contactEmail)
    })
  )

  it.effect("fails when there is no such organization", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      const id = OrganizationId.make("00000000-0000-4000-8000-000000000000")
      assert.strictEqual((yield* Effect.flip(organizations.get(id)))._tag, "OrganizationNotFound")
      assert.strictEqual((yield* Effect.flip(organizations.update(id, {})))._tag, "OrganizationNotFound")
    })
  )

  it.effect("pages through all, oldest first, each once", () =>
    Effect.gen(function* () {
      const organizations = yield* Organizations
      for (let index = 0; index < 5; index += 1) yield* organizations.create(`Page ${index}`)
      const seen: Array<string> = []
      let cursor: PagePosition | null = oldest
      while (cursor !== null) {
        const page: Page<Organization> = yield* organizations.list({ limit: 2, cursor })
        assert.isAtMost(page.data.length, 2)
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.nextCursor
      }
      const all = (yield* organizations.list({ limit: 100 })).data.map(({ id }) => id)
      assert.deepStrictEqual(seen, all)
    })
  )
})
