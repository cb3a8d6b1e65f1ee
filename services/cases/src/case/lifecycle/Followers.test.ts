import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { layerAuditedDatabase } from "@care/audit/testing"
import type { CaseSnapshot } from "@care/domain/cases"
import { CaseId, type OrganizationId, ProductId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { IdentityTokens, layerHttpClient } from "@care/service-kit"
import { layerTestConfig, serveListener, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { keepProviders, makeCase, makeClinic } from "../../../test/storedCases.ts"
import { makePeopleRepo } from "../people/PeopleRepo.ts"
import { Cases } from "./Cases.ts"
import { Followers } from "./Followers.ts"

const told: Array<CaseSnapshot> = []
const takes = (response: ServerResponse) => response.writeHead(204).end()
let answer: (response: ServerResponse) => void = takes

// Scheduling, which answers as the test says.
const scheduling = serveListener((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk) => chunks.push(chunk))
  request.on("end", () => {
    told.push(...JSON.parse(Buffer.concat(chunks).toString()).facts)
    answer(response)
  })
})

const layerScheduling = Layer.unwrap(
  Effect.map(scheduling, ({ url }) => ConfigProvider.layer(ConfigProvider.fromUnknown({ SCHEDULING_URL: url })))
)

const TestLayer = Cases.layer.pipe(
  Layer.provideMerge(Followers.layer),
  Layer.provide([IdentityTokens.layer, layerHttpClient, layerIdleJobs]),
  Layer.provide([layerTestConfig(), layerScheduling]),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("cases", 20), layerTestCipher))
)

class Refused extends Data.TaggedError("Refused") {}

layer(TestLayer, { excludeTestServices: true })("cases that are followed", (it) => {
  const toldOf = (id: CaseId) =>
    told
      .filter(({ caseId }) => caseId === id)
      .map(({ isArchived, status, version }) => ({ isArchived, status, version }))
  const jobsOf = (organizationId: OrganizationId) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`SELECT id FROM jobs WHERE queue_name = 'case-replication' AND organization_id = ${organizationId}`
    ).pipe(Effect.map(({ length }) => length))
  const close = (organizationId: OrganizationId, id: CaseId) =>
    Effect.flatMap(Cases, (cases) => cases.move(organizationId, id, { name: "close", archiveNote: null }))

  it.effect(
    "a move is told before its caller goes on, as it was committed, and its job is there; of others nothing",
    () =>
      Effect.gen(function* () {
        const [cases, sql] = [yield* Cases, yield* SqlClient.SqlClient]
        const { organizationId } = yield* makeClinic
        const [{ id, userId }, other] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
        assert.deepStrictEqual(yield* cases.follow(organizationId, id), {
          organizationId,
          caseId: id,
          userId,
          shortId: id,
          title: "",
          status: "OPEN",
          isArchived: false,
          isTest: false,
          version: 1
        })
        yield* close(organizationId, other.id)
        assert.deepStrictEqual([toldOf(other.id), yield* jobsOf(organizationId)], [[], 0])
        yield* Effect.flip(sql.withTransaction(Effect.andThen(close(organizationId, id), new Refused())))
        assert.deepStrictEqual([toldOf(id), yield* jobsOf(organizationId)], [[], 0])
        yield* close(organizationId, id)
        yield* Effect.flip(close(organizationId, id))
        assert.deepStrictEqual(toldOf(id), [{ isArchived: true, status: "OPEN", version: 2 }])
        assert.strictEqual(yield* jobsOf(organizationId), 1)
        yield* cases.move(organizationId, id, { name: "reopen" })
        assert.deepStrictEqual(toldOf(id).at(-1), { isArchived: false, status: "OPEN", version: 3 })
      })
  )

  it.effect("cases that are assigned together are told together, those of them that are followed", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { first, organizationId } = yield* makeClinic
      yield* keepProviders(organizationId, [first])
      const ids = [
        yield* makeCase(organizationId),
        yield* makeCase(organizationId),
        yield* makeCase(organizationId)
      ].map(({ id }) => id)
      const [one, two, three] = ids
      if (one === undefined || two === undefined || three === undefined) return assert.fail()
      yield* cases.follow(organizationId, one)
      yield* cases.follow(organizationId, three)
      yield* cases.assignToLeastBusy(organizationId, ids)
      const assigned = [{ isArchived: false, status: "ASSIGNED", version: 2 }]
      assert.deepStrictEqual(ids.map(toldOf), [assigned, [], assigned])
      assert.strictEqual(yield* jobsOf(organizationId), 1)
    })
  )

  it.effect("whoever asks while a case moves knows how it stands then, or is told", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { organizationId } = yield* makeClinic
      const [{ id }, other] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
      const [, [snapshot]] = yield* whileHeld(close(organizationId, id), [cases.follow(organizationId, id)])
      assert.deepInclude(snapshot, { isArchived: true, version: 2 })
      yield* whileHeld(cases.follow(organizationId, other.id), [close(organizationId, other.id)])
      assert.deepStrictEqual(toldOf(other.id), [{ isArchived: true, status: "OPEN", version: 2 }])
    })
  )

  for (const [name, broken] of [
    ["answers 500", (response: ServerResponse) => response.writeHead(500).end()],
    ["never answers", () => {}]
  ] as const) {
    it.effect(`a case moves though scheduling ${name}, and is told of later by its job, as it stands then`, () =>
      Effect.gen(function* () {
        const [cases, followers] = [yield* Cases, yield* Followers]
        const { organizationId } = yield* makeClinic
        const { id } = yield* makeCase(organizationId)
        yield* cases.follow(organizationId, id)
        answer = broken
        yield* close(organizationId, id)
        assert.strictEqual(yield* jobsOf(organizationId), 1)
        answer = takes
        yield* cases.record(organizationId, id, {
          type: "PRODUCT_CLOSED",
          details: { productId: ProductId.make(randomUUID()) }
        })
        yield* followers.tell(organizationId, [id])
        assert.deepStrictEqual(toldOf(id).at(-1), { isArchived: true, status: "OPEN", version: 3 })
      })
    )
  }

  it.effect("of a customer the newest case is followed that is not archived; another organization's is none", () =>
    Effect.gen(function* () {
      const [cases, sql] = [yield* Cases, yield* SqlClient.SqlClient]
      const { keep } = yield* makePeopleRepo
      const { organizationId } = yield* makeClinic
      const [older, newer] = [yield* makeCase(organizationId), yield* makeCase(organizationId)]
      const email = `${older.userId}@example.com`
      yield* keep(readPersonSnapshot(organizationId, older.userId, 1, { email }))
      yield* sql`
        UPDATE cases SET user_id = ${older.userId}, created_at = created_at + interval '1 day', is_sole = false
        WHERE organization_id = ${organizationId} AND id = ${newer.id}
      `
      assert.strictEqual((yield* cases.followNewest(organizationId, email)).caseId, newer.id)
      yield* close(organizationId, newer.id)
      assert.lengthOf(toldOf(newer.id), 1)
      assert.strictEqual((yield* cases.followNewest(organizationId, email)).caseId, older.id)
      yield* close(organizationId, older.id)
      const { organizationId: other } = yield* makeClinic
      for (const [asker, asked] of [
        [organizationId, email],
        [organizationId, "nobody@example.com"],
        [other, email]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(cases.followNewest(asker, asked)))._tag, "CaseNotFound")
      }
      assert.strictEqual((yield* Effect.flip(cases.follow(other, older.id)))._tag, "CaseForbidden")
      assert.strictEqual((yield* Effect.flip(cases.follow(other, CaseId.make(randomUUID()))))._tag, "CaseNotFound")
    })
  )
})
