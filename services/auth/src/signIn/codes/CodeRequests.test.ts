import { randomUUID } from "node:crypto"
import { layerJobs } from "@care/jobs"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { layerBase, layerSettings, makePatient } from "../../../test/layerAuth.ts"
import type { AuthSettings } from "../../AuthSettings.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { CodeRequests } from "./CodeRequests.ts"
import { CodeSending } from "./CodeSending.ts"
import { OneTimeCodes } from "./OneTimeCodes.ts"

const layerRequests = (changes: Partial<AuthSettings["Service"]> = {}) =>
  CodeRequests.layer.pipe(
    Layer.provide(CodeSending.layer),
    Layer.provide(layerJobs),
    Layer.provideMerge(layerSettings(changes)),
    Layer.provideMerge(layerBase)
  )

layer(layerRequests())("requests for one-time codes", (it) => {
  const countJobs = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return (yield* sql`SELECT id FROM jobs WHERE queue_name = 'code-sending'`).length
  })
  const countNewJobs = Effect.fnUntraced(function* <E, R>(request: Effect.Effect<unknown, E, R>) {
    const before = yield* countJobs
    yield* request
    return (yield* countJobs) - before
  })

  it.effect("100 parallel requests for one identifier are one job, whoever has it", () =>
    Effect.gen(function* () {
      const { ask } = yield* CodeRequests
      const { organizationId, patient } = yield* makePatient
      for (const identifier of [patient.email, "nobody@example.com", "+14155550000"]) {
        const flood = Effect.replicateEffect(ask(organizationId, identifier), 100, { concurrency: "unbounded" })
        assert.strictEqual(yield* countNewJobs(flood), 1)
      }
    })
  )

  it.effect("are one job in each interval, of each organization and identifier", () =>
    Effect.gen(function* () {
      const { ask } = yield* CodeRequests
      const { organizationId, patient } = yield* makePatient
      const other = yield* (yield* Organizations).create("Other clinic")
      assert.strictEqual(yield* countNewJobs(ask(organizationId, patient.email)), 1)
      assert.strictEqual(yield* countNewJobs(ask(other.id, patient.email)), 1)
      assert.strictEqual(yield* countNewJobs(ask(organizationId, patient.phoneNumber)), 1)
      yield* TestClock.adjust("29999 millis")
      assert.strictEqual(yield* countNewJobs(ask(organizationId, patient.email)), 0)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* countNewJobs(ask(organizationId, patient.email)), 1)
      assert.strictEqual(yield* countNewJobs(ask(organizationId, patient.email)), 0)
    })
  )

  it.effect("are possible again immediately after a sign-in", () =>
    Effect.gen(function* () {
      const { ask, forget } = yield* CodeRequests
      const { organizationId, patient } = yield* makePatient
      yield* ask(organizationId, patient.email)
      yield* ask(organizationId, patient.phoneNumber)
      yield* forget(organizationId, [patient.email, patient.phoneNumber])
      assert.strictEqual(yield* countNewJobs(ask(organizationId, patient.email)), 1)
      assert.strictEqual(yield* countNewJobs(ask(organizationId, patient.phoneNumber)), 1)
    })
  )

  it.effect("are stored only as a keyed hash, different in each organization", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ask } = yield* CodeRequests
      const other = yield* (yield* Organizations).create("Other clinic")
      const { organizationId, patient } = yield* makePatient
      yield* ask(organizationId, patient.email)
      yield* ask(other.id, patient.email)
      const rows = yield* sql<{ identifierHash: string }>`
        SELECT * FROM code_requests WHERE organization_id IN (${organizationId}, ${other.id})
      `
      assert.strictEqual(new Set(rows.map(({ identifierHash }) => identifierHash)).size, 2)
      for (const { identifierHash } of rows) assert.match(identifierHash, /^[0-9a-f]{128}$/)
    })
  )
})

layer(layerRequests({ codeResendInterval: Duration.zero }))("without a wait between codes", (it) => {
  it.effect("each request is a job, and each job a code, also after wrong attempts, up to the caps", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { ask } = yield* CodeRequests
      const codes = yield* OneTimeCodes
      const { organizationId, patient } = yield* makePatient
      const identifier = patient.email
      yield* Effect.replicateEffect(ask(organizationId, identifier), 3)
      assert.lengthOf(yield* sql`SELECT id FROM jobs WHERE queue_name = 'code-sending'`, 3)
      for (let sent = 0; sent < 10; sent += 1) {
        const requestedAt = yield* DateTime.nowAsDate
        assert.isTrue(Option.isSome(yield* codes.issue(randomUUID(), { organizationId, identifier, requestedAt })))
        yield* Effect.flip(codes.check(organizationId, identifier, "none"))
      }
      const requestedAt = yield* DateTime.nowAsDate
      assert.isTrue(Option.isNone(yield* codes.issue(randomUUID(), { organizationId, identifier, requestedAt })))
    }).pipe(Effect.provide(OneTimeCodes.layer))
  )
})
