import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, UserId } from "@care/domain/ids"
import { IdentityTokens, layerHttpClient } from "@care/service-kit"
import { layerTestConfig, serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { personSnapshot, readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { People } from "./People.ts"

const strangers = new Set<string>()
const requested: Array<ReadonlyArray<string>> = []
const staff = new Map<string, object>()

interface PeopleRequest {
  readonly organizationId: string
  readonly userIds?: ReadonlyArray<string>
  readonly emails?: ReadonlyArray<string>
}

// Auth, which knows the third version of everybody but strangers.
const auth = serveListener((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    const { emails = [], organizationId, userIds = [] }: PeopleRequest = JSON.parse(Buffer.concat(chunks).toString())
    requested.push([...userIds, ...emails])
    const known = userIds.filter((id) => !strangers.has(id))
    const snapshots = [
      ...known.map((id) => personSnapshot(organizationId, id, 3, { firstName: "Third" })),
      ...emails.flatMap((email) => staff.get(email) ?? [])
    ]
    response.setHeader("content-type", "application/json").end(JSON.stringify(snapshots))
  })
})

const layerConfig = Layer.unwrap(
  Effect.map(auth, ({ url }) => ConfigProvider.layer(ConfigProvider.fromUnknown({ AUTH_URL: url })))
)

const TestLayer = People.layer.pipe(
  Layer.provide([IdentityTokens.layer, layerHttpClient]),
  Layer.provide([layerTestConfig(), layerConfig]),
  Layer.provideMerge(layerAuditedDatabase("cases"))
)

layer(TestLayer, { excludeTestServices: true })("People", (it) => {
  const ids = Effect.sync(() => ({
    organizationId: OrganizationId.make(randomUUID()),
    userId: UserId.make(randomUUID())
  }))

  it.effect("missing people are fetched once, in one call", () =>
    Effect.gen(function* () {
      const people = yield* People
      const { organizationId, userId } = yield* ids
      const others = [UserId.make(randomUUID()), UserId.make(randomUUID())]
      yield* people.keep(readPersonSnapshot(organizationId, userId))
      requested.length = 0
      for (let read = 0; read < 2; read += 1) {
        const summaries = yield* people.summaries(organizationId, [...others, userId, ...others])
        assert.deepStrictEqual(
          [userId, ...others].map((id) => summaries.get(id)?.firstName),
          ["Maria", "Third", "Third"]
        )
      }
      assert.deepStrictEqual(requested, [others])
      // An older snapshot that arrives afterwards changes nothing.
      for (const id of others) yield* people.keep(readPersonSnapshot(organizationId, id, 2))
      assert.strictEqual((yield* people.summaries(organizationId, others)).get(others[0] ?? userId)?.firstName, "Third")
    })
  )

  it.effect("a person whom only another organization knows is unknown", () =>
    Effect.gen(function* () {
      const people = yield* People
      const { organizationId, userId } = yield* ids
      yield* people.keep(readPersonSnapshot(organizationId, userId))
      assert.strictEqual((yield* people.summary(organizationId, userId)).id, userId)
      const other = (yield* ids).organizationId
      strangers.add(userId)
      assert.strictEqual((yield* Effect.flip(people.summary(other, userId)))._tag, "UserNotInOrganization")
    })
  )

  it.effect("people whose rows were deleted are fetched again", () =>
    Effect.gen(function* () {
      const people = yield* People
      const sql = yield* SqlClient.SqlClient
      const { organizationId, userId } = yield* ids
      yield* people.keep(readPersonSnapshot(organizationId, userId))
      assert.strictEqual((yield* people.summary(organizationId, userId)).firstName, "Maria")
      yield* sql`DELETE FROM people WHERE organization_id = ${organizationId}`
      assert.strictEqual((yield* people.summary(organizationId, userId)).firstName, "Third")
    })
  )

  it.effect("members are found by their emails, and missing ones are fetched once and stored", () =>
    Effect.gen(function* () {
      const people = yield* People
      const { organizationId, userId } = yield* ids
      const role = "THIRD_PARTY_ADMIN"
      const emails = { known: `known@${userId}.co`, told: `told@${userId}.co`, left: `left@${userId}.co` }
      const snapshot = (email: string, changes: object = {}) =>
        [organizationId, randomUUID(), 1, { role, email, ...changes }] as const
      yield* people.keep(readPersonSnapshot(...snapshot(emails.known)))
      yield* people.keep(readPersonSnapshot(...snapshot(emails.left, { isActive: false })))
      staff.set(emails.told, personSnapshot(...snapshot(emails.told)))
      staff.set(emails.left, personSnapshot(...snapshot(emails.left, { role: "SUPPORT" })))

      const before = requested.length
      const found = yield* people.members(organizationId, role, Object.values(emails))
      assert.sameMembers([...found.keys()], [emails.known, emails.told])
      assert.deepStrictEqual(requested.slice(before), [[emails.told, emails.left]])
      assert.deepStrictEqual(yield* people.members(organizationId, role, [emails.told, emails.known]), found)
      assert.lengthOf(requested, before + 1)
      const { organizationId: other } = yield* ids
      assert.deepStrictEqual([...(yield* people.members(other, role, [emails.known]))], [])
    })
  )
})
