import { randomUUID } from "node:crypto"
import { text } from "node:stream/consumers"
import { CaseNoticeBatch as SentNotices } from "@care/domain/auth"
import { OrganizationId, UserId } from "@care/domain/ids"
import { IdentityTokens, layerHttpClient } from "@care/service-kit"
import { layerTestConfig, readsOf, serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases, makeCase, storeProviders } from "../../../test/storedCases.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { CaseNotices } from "./CaseNotices.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.toCodecJson(SentNotices)))
const sent: Array<(typeof SentNotices.Type)["notices"][number]> = []
let isAway = false

// Auth, which accepts notices unless it is away.
const auth = serveListener(async (request, response) => {
  const { notices } = decode(await text(request))
  if (!isAway) sent.push(...notices)
  response.writeHead(isAway ? 503 : 204).end()
})

const layerConfig = Layer.unwrap(
  Effect.map(auth, ({ url }) => ConfigProvider.layer(ConfigProvider.fromUnknown({ AUTH_URL: url })))
)

const TestLayer = CaseNotices.layer.pipe(
  Layer.provide([IdentityTokens.layer, layerHttpClient]),
  Layer.provide([layerTestConfig({ name: "cases" }), layerConfig]),
  Layer.provideMerge(layerStoredCases)
)

layer(TestLayer, { excludeTestServices: true })("notices of cases", (it) => {
  const organizationId = OrganizationId.make(randomUUID())
  const [jane, john] = [UserId.make(randomUUID()), UserId.make(randomUUID())]
  const sendAll = Effect.gen(function* () {
    sent.length = 0
    yield* Effect.repeat((yield* CaseNotices).sendNext, { until: (hasMore) => !hasMore })
    return sent.map(({ kind, userId }) => ({ kind, userId }))
  })
  const assign = (userId: UserId) => ({ name: "assign", providerId: userId }) as const
  const assignedNotice = (userId: UserId) => ({ kind: "CASE_ASSIGNED", userId })

  it.effect(
    "the provider of a case gets a notice, assigned by hand or automatically, and of several only the last",
    () =>
      Effect.gen(function* () {
        const cases = yield* Cases
        yield* storeProviders(organizationId, [jane])
        const { id } = yield* makeCase(organizationId)
        yield* cases.assignToLeastBusy(organizationId, [id])
        assert.deepStrictEqual(yield* sendAll, [assignedNotice(jane)])
        assert.deepStrictEqual(yield* sendAll, [])
        for (const provider of [john, jane, john]) yield* cases.move(organizationId, id, assign(provider))
        assert.deepStrictEqual(yield* sendAll, [assignedNotice(john)])
        yield* cases.move(organizationId, id, assign(jane))
        yield* cases.move(organizationId, id, { name: "open" })
        assert.deepStrictEqual(yield* sendAll, [])
      })
  )

  it.effect("a patient gets a notice when an abandoned case is opened, and not when an open one is", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      for (const status of ["ABANDONED", "OPEN"] as const) {
        const { id, userId } = yield* makeCase(organizationId, { status })
        yield* cases.move(organizationId, id, { name: "open" })
        const expected = status === "ABANDONED" ? [{ kind: "CASE_OPENED", userId }] : []
        assert.deepStrictEqual(yield* sendAll, expected)
      }
    })
  )

  it.effect("a case that was closed meanwhile has no notice, and neither has a test case", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const closed = yield* makeCase(organizationId)
      const test = yield* makeCase(organizationId, { isTest: true })
      const other = yield* makeCase(organizationId)
      for (const { id } of [closed, test, other]) yield* cases.move(organizationId, id, assign(john))
      yield* cases.move(organizationId, closed.id, { name: "close", archiveNote: null })
      assert.deepStrictEqual(yield* sendAll, [assignedNotice(john)])
    })
  )

  it.effect("a notice that auth did not accept is sent later, and a repeated notice has the same key", () =>
    Effect.gen(function* () {
      const [cases, sql] = [yield* Cases, yield* SqlClient.SqlClient]
      const { sendNext } = yield* CaseNotices
      const { id } = yield* makeCase(organizationId)
      yield* cases.move(organizationId, id, assign(john))
      sent.length = 0
      isAway = true
      yield* Effect.exit(sendNext)
      assert.lengthOf(sent, 0)
      isAway = false
      // As if the process had ended when auth had accepted it: the entries still await their notices.
      yield* sql`
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'as if it had ended'; END $$
      `
      yield* sql`CREATE TRIGGER refuse BEFORE UPDATE ON case_activity EXECUTE FUNCTION refuse()`
      yield* Effect.exit(sendNext)
      yield* sql`DROP TRIGGER refuse ON case_activity`
      yield* sendNext
      yield* sendNext
      const [first, second, ...more] = sent.map(({ key }) => key)
      assert.isString(first)
      assert.deepStrictEqual([second, more], [first, []])
    })
  )

  it.effect(
    "a poll costs the same however much has happened, and more than a hundred entries are sent one page after the other",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { sendNext } = yield* CaseNotices
        const { id } = yield* makeCase(organizationId)
        const seed = (first: number, last: number, awaitsNotice: boolean) => sql`
        INSERT INTO case_activity (organization_id, case_id, sequence, id, type, actor_type, at, details, awaits_notice)
        SELECT ${organizationId}::uuid, ${id}::uuid, n, gen_random_uuid(), 'CASE_CREATED', 'JOB', now(),
               '{"status":"OPEN"}', ${awaitsNotice}::boolean
        FROM generate_series(${first}::int, ${last}::int) AS n
      `
        const reads = (work: Effect.Effect<unknown>) => readsOf(["case_activity", "cases"], work)
        yield* seed(1000, 2000, false)
        yield* sql`ANALYZE case_activity`
        const few = yield* reads(sendNext)
        yield* seed(2001, 6000, false)
        yield* sql`ANALYZE case_activity`
        assert.isAtMost(yield* reads(sendNext), few)
        yield* seed(20_001, 20_250, true)
        assert.lengthOf(yield* sendAll, 250)
      })
  )
})
