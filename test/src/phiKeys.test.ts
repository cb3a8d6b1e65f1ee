import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { makePhiKeys } from "@care/phi"
import { layerTestCipherWith, makePhiKey } from "@care/phi/testing"
import { services } from "@care/sandbox"
import { serveListener } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { Effect, Redacted, String as Text } from "effect"
import { SqlClient } from "effect/sql"
import { admin, call } from "./harness/call.ts"
import { inDatabase, inEveryDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { untilAllEnded } from "./harness/jobsOf.ts"
import { keyIdOf, openEverythingWith, sealedTables } from "./harness/openEverything.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { writeEverywhere } from "./harness/writeEverywhere.ts"

interface Key {
  readonly service: string
  readonly keyId: string
  readonly isSealing: boolean
  readonly rows: number
}

// Counts the rows of a service, page by page.
const countIn = Effect.fnUntraced(function* (service: string, limit: number) {
  let [pages, rows, cursor] = [0, 0, ""]
  do {
    const { json, status } = yield* admin("GET", `/phi-keys?limit=${limit}${cursor}`)
    assert.strictEqual(status, 200, cursor)
    const keys: ReadonlyArray<Key> = json.data
    const count = keys.find((key) => key.service === service)?.rows ?? 0
    assert.isAtMost(count, limit)
    pages += 1
    rows += count
    cursor = json.nextCursor === null ? "" : `&cursor=${json.nextCursor}`
  } while (cursor !== "")
  return { pages, rows }
})

testsOn(Suite.layer, "the keys of PHI_KEY", (it) => {
  it("200: what each of them seals, of all services, page by page as at once, and a step of a rotation", function* () {
    const clinic = yield* makeClinic
    yield* createCase(clinic, caseBody(clinic))
    yield* untilAllEnded(clinic)
    const { json, status } = yield* admin("GET", "/phi-keys")
    assert.strictEqual(status, 200)
    const keys: ReadonlyArray<Key> = json.data
    assert.deepStrictEqual(
      keys.map(({ isSealing, keyId, service }) => [service, keyId, isSealing]),
      ["auth", "cases", "payments", "scheduling"].map((service) => [service, "k1", true])
    )
    const [many, few] = [yield* countIn("cases", 1000), yield* countIn("cases", 1)]
    assert.isAtLeast(many.rows, 1)
    assert.strictEqual(few.rows, many.rows)
    assert.isAbove(few.pages, many.pages)
    const { json: step } = yield* admin("POST", "/phi-keys/rotate", {})
    assert.deepInclude(step, { rotated: 0, next: null })
    assert.isAtLeast(step.checked, many.rows)
  })

  it("400 for a position of another form; one that is none is the beginning", function* () {
    for (const from of ["x", 1, { cases: 1 }, []]) {
      assert.strictEqual((yield* admin("POST", "/phi-keys/rotate", { from })).status, 400, JSON.stringify(from))
    }
    for (const query of ["cursor=x", "cursor=e30x", "limit=0", "limit=1001"]) {
      assert.strictEqual((yield* admin("GET", `/phi-keys?${query}`)).status, 400, query)
    }
    const noPositions = ["", "nonsense", "[99,null]", "[-1,null]", "[0,[]]", '[0,["x","y"]]', '[2,["x","y","z","z"]]']
    const rotate = Effect.fnUntraced(function* (from: object | undefined, least: number) {
      const { json, status } = yield* admin("POST", "/phi-keys/rotate", { from })
      assert.deepInclude({ status, ...json }, { status: 200, rotated: 0, next: null }, JSON.stringify(from))
      // Jobs of other tests may store further rows meanwhile.
      assert.isAtLeast(json.checked, least, JSON.stringify(from))
      return json.checked
    })
    const beginning = yield* rotate({ cases: "[0,null]" }, 2)
    const others = { auth: null, payments: null, scheduling: null }
    yield* rotate({ cases: "[0,null]", ...others }, beginning)
    const everywhere = yield* rotate(undefined, beginning + 1)
    for (const from of [{}, { case: "[0,null]" }, { ...others, cases: null }]) yield* rotate(from, everywhere)
    for (const cases of [...noPositions, JSON.stringify([2, [randomUUID(), "\0", "\ud800"]])]) {
      yield* rotate({ cases }, beginning)
      const cursor = Buffer.from(JSON.stringify({ cases })).toString("base64url")
      const page = yield* admin("GET", `/phi-keys?cursor=${cursor}`)
      assert.strictEqual(page.status, 200, cases)
    }
  })

  it("the longest key that a partner may send does not end the walk", function* () {
    const clinic = yield* makeClinic
    // In JSON inside of JSON each of these characters takes four.
    const longest = '"'.repeat(255)
    const body = caseBody(clinic)
    assert.strictEqual((yield* createCase(clinic, { ...body, idempotencyKey: longest })).status, 200)
    const [{ position } = assert.fail()] = yield* inDatabase(
      "cases",
      (sql) => sql<{ position: string }>`
          SELECT json_build_array(2, json_build_array(organization_id, operation, key))::text AS position
          FROM cases.idempotency_keys WHERE organization_id = ${clinic.organizationId}
        `
    )
    const step = yield* admin("POST", "/phi-keys/rotate", { from: { cases: position } })
    assert.deepStrictEqual([step.status, step.json.next], [200, null])
    // With pages of one row, each row is the last one of its page.
    assert.isAbove((yield* countIn("cases", 1)).pages, 3)
  })
})

// The marker in texts about a patient, and in responses of the partner's endpoint.
const secret = "goldammer"

// Runs the rotation of one service with other keys, as after a restart.
const inService = <A, E, R>(service: ServiceName, phiKey: string, effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Suite, ({ databaseUrls }) =>
    Effect.andThen(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT set_config('search_path', ${service}, false)`),
      effect
    ).pipe(
      Effect.provide([
        PgClient.layer({
          url: Redacted.make(databaseUrls[service]),
          maxConnections: 1,
          transformQueryNames: Text.camelToSnake,
          transformResultNames: Text.snakeToCamel
        }),
        layerTestCipherWith(phiKey)
      ])
    )
  )

const keysIn = (service: string) => makePhiKeys(sealedTables[service] ?? assert.fail(service))

// Rotates all rows.
const rotateAll = (service: string) =>
  Effect.gen(function* () {
    const { rotate } = yield* keysIn(service)
    let position: string | undefined
    do {
      const { next }: { readonly next: string | null } = yield* rotate(position)
      position = next ?? undefined
    } while (position !== undefined)
  })

// Counts the rows that a key seals in all services.
const rowsSealedBy = (service: string, keyId: string) =>
  Effect.gen(function* () {
    const { list } = yield* keysIn(service)
    let [rows, position]: [number, string | undefined] = [0, undefined]
    do {
      const { keys, next }: Effect.Success<ReturnType<typeof list>> = yield* list(position, 2)
      rows += keys.find((key) => key.keyId === keyId)?.rows ?? assert.fail(keyId)
      position = next ?? undefined
    } while (position !== undefined)
    return rows
  })

/** Returns the columns with values that a key of PHI_KEY itself seals. */
const columnsSealedBy = (keyId: string) =>
  inEveryDatabase(
    Effect.fnUntraced(function* (sql, schema) {
      const tables = yield* sql<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = ${schema} AND table_type = 'BASE TABLE'
      `
      const columns = new Set<string>()
      for (const { name } of tables) {
        const rows = yield* sql<Readonly<Record<string, unknown>>>`SELECT * FROM ${sql(`${schema}.${name}`)}`
        for (const row of rows) {
          for (const [column, value] of Object.entries(row)) {
            if (keyIdOf(value) === keyId) columns.add(`${schema}.${name}.${column}`)
          }
        }
      }
      return [...columns]
    })
  )

testsOn(Suite.layer, "a key of PHI_KEY that is taken out", (it) => {
  it("is needed by nothing in any service when none is counted for it, whoever rotates at once", function* () {
    const { secrets } = yield* Suite
    const clinic = yield* makeClinic
    const { url } = yield* serveListener((_, response) => {
      // A refused event would be sent again, and the suite would seal the response with its key after the rotation.
      response.writeHead(200).end(secret)
    })
    const { id } = yield* addEndpoint(clinic, { url: `${url}/${secret}` })
    yield* call("POST", `/api/v1/webhook-endpoints/${id}/rotate-secret`, { key: clinic.key })
    yield* call("POST", `/api/v1/webhook-endpoints/${id}/test`, { key: clinic.key })
    yield* writeEverywhere(clinic, secret, newPatient())
    // Responses to events of a case are sealed with the patient's key, those to other events with PHI_KEY.
    const attempts = inDatabase(
      "cases",
      (sql) => sql`
          SELECT DISTINCT d.case_id IS NULL FROM cases.webhook_attempts a JOIN cases.webhook_deliveries d ON d.id = a.delivery_id
          WHERE a.answer IS NOT NULL
        `
    )
    yield* until(attempts, ({ length }) => length === 2)
    // The suite itself has only the old key, so its own work has to be done before.
    const notices = inDatabase("cases", (sql) => sql`SELECT FROM cases.case_activity WHERE awaits_notice`)
    yield* until(notices, ({ length }) => length === 0)
    yield* untilAllEnded(clinic)

    const before = yield* openEverythingWith(secrets.PHI_KEY)
    const found = Object.keys(before).filter((table) => before[table]?.includes(secret) === true)
    assert.includeMembers(found, [
      ...["auth.idempotency_keys", "cases.comments", "cases.document_pieces", "cases.webhook_attempts"],
      ...["cases.webhook_endpoints", "payments.payments"]
    ])
    const listed = yield* columnsSealedBy("k1")
    assert.includeMembers(listed, [
      ...["auth.patient_keys.wrapped", "cases.webhook_attempts.answer", "cases.webhook_endpoints.previous_secret"],
      "payments.jobs.payload"
    ])

    const k2 = makePhiKey("k2")
    const both = `${k2},${secrets.PHI_KEY}`
    for (const service of services) {
      const rows = inService(service, both, rowsSealedBy(service, "k1"))
      assert.isAbove(yield* rows, 0, service)
      yield* Effect.replicateEffect(inService(service, both, rotateAll(service)), 2, { concurrency: "unbounded" })
      assert.strictEqual(yield* rows, 0, service)
    }
    const hashes = services.map((service) => `${service}.idempotency_keys.body_hash`)
    assert.deepStrictEqual(
      [...(yield* columnsSealedBy("k1"))].filter((column) => !hashes.includes(column)),
      []
    )
    const after = yield* openEverythingWith(k2)
    assert.deepStrictEqual(
      Object.keys(after).filter((table) => after[table]?.includes(secret) === true),
      found
    )
  })
})
