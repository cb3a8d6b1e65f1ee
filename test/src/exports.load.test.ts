import { readdirSync } from "node:fs"
import { get, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { runCare } from "@care/cli"
import { connection, rawRequest, readSlowly, temporaryFolder, untilClosed } from "@care/service-kit/testing"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { admin } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const mebibyte = 1024 * 1024
const rows = 500
const bytesARow = 50_000

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Returns the memory of this process, which runs the whole suite. */
const memoryBytes = () => {
  // Twice, because external memory that the first collection frees is subtracted only at the second.
  collectGarbage()
  collectGarbage()
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

/** Makes a patient with a case. */
const makePatient = Effect.gen(function* () {
  const clinic = yield* makeClinic
  const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
  const { submitter } = (yield* admin("GET", `/cases/${caseId}`)).json
  const userId: string = submitter.id
  const email: string = submitter.email
  return { clinic, caseId, userId, email }
})

/** Makes a patient with much data in auth and in cases. */
const makeLargePatient = Effect.gen(function* () {
  const patient = yield* makePatient
  const { caseId, clinic, email, userId } = patient
  yield* inDatabase(
    "auth",
    (sql) => sql`
        INSERT INTO auth.messages (organization_id, id, user_id, channel, receiver, subject, text, created_at)
        SELECT ${clinic.organizationId}::uuid, gen_random_uuid(), ${userId}::uuid, 'EMAIL', ${email}, 'A letter', repeat('x', ${bytesARow}::integer), now()
        FROM generate_series(1, ${rows}::integer)
      `
  )
  yield* inDatabase(
    "cases",
    (sql) => sql`
        INSERT INTO cases.case_activity (organization_id, case_id, sequence, id, at, type, actor_type, details)
        SELECT organization_id, case_id, 100 + n, gen_random_uuid(), at, type, actor_type, jsonb_build_object('text', repeat('x', ${bytesARow}::integer))
        FROM cases.case_activity, generate_series(1, ${rows}::integer) AS n
        WHERE organization_id = ${clinic.organizationId} AND case_id = ${caseId} AND sequence = 1
      `
  )
  return patient
})

const requestExport = (userId: string) =>
  Effect.flatMap(Suite, ({ secrets, urls }) =>
    Effect.acquireRelease(
      Effect.callback<IncomingMessage>((resume) => {
        const headers = { authorization: `Bearer ${secrets.ADMIN_TOKEN}` }
        get(`${urls.gateway}/admin/v1/users/${userId}/export`, { headers, agent: false }, (answer) =>
          resume(Effect.succeed(answer))
        )
      }),
      (answer) => Effect.sync(() => answer.destroy())
    )
  )

/** Reads a response until it ends or breaks off. */
const read = (answer: IncomingMessage, watch: (bytes: number) => void = () => {}) =>
  Effect.promise(async () => {
    let bytes = 0
    try {
      for await (const chunk of answer) {
        bytes += chunk.length
        watch(bytes)
      }
      return { bytes, isWhole: answer.complete }
    } catch {
      return { bytes, isWhole: false }
    }
  })

testsOn(Suite.layer, "an export", (it) => {
  it("of 50 MB is streamed through all services, which hold only a small part at a time", function* () {
    yield* Effect.gen(function* () {
      const { userId } = yield* makeLargePatient
      const before = memoryBytes()
      let maxBytes = 0
      let looked = 0
      const answer = yield* requestExport(userId)
      const { bytes, isWhole } = yield* read(answer, (bytesRead) => {
        if (bytesRead < looked + 5 * mebibyte) return
        looked = bytesRead
        maxBytes = Math.max(maxBytes, memoryBytes() - before)
      })
      assert.isTrue(isWhole)
      assert.isAbove(bytes, 2 * rows * bytesARow)
      assert.isAbove(looked, 40 * mebibyte)
      assert.isBelow(maxBytes, 10 * mebibyte)
    }).pipe(Effect.scoped)
  })

  it("that fails midway breaks the response off and leaves no file; one that cannot begin is refused", function* () {
    yield* Effect.gen(function* () {
      const { secrets, urls } = yield* Suite
      const { caseId, clinic, userId } = yield* makePatient
      for (let count = 0; count < 15; count += 1) {
        const comment = { authorUserId: userId, text: `Comment ${count}`, isRestricted: false }
        assert.strictEqual((yield* admin("POST", `/cases/${caseId}/comments`, comment)).status, 201)
      }
      const folder = yield* temporaryFolder()
      const environment = { CARE_URL: urls.gateway, ADMIN_TOKEN: secrets.ADMIN_TOKEN }
      const exported = (name: string) =>
        runCare(["patient", "export", userId, "--output", join(folder, name), "--json"]).pipe(
          Effect.provide(NodeServices.layer),
          Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment))
        )
      const whole = yield* read(yield* requestExport(userId))
      assert.isTrue(whole.isWhole)
      yield* exported("whole.json")
      assert.deepStrictEqual(readdirSync(folder), ["whole.json"])

      // The last comment, on the second page, cannot be opened any more.
      yield* inDatabase(
        "cases",
        (sql) => sql`
          UPDATE cases.comments
          SET text = overlay(text PLACING CASE substr(text, 40, 1) WHEN 'A' THEN 'B' ELSE 'A' END FROM 40 FOR 1)
          WHERE (organization_id, id) = (
            SELECT organization_id, id FROM cases.comments WHERE case_id = ${caseId}
            ORDER BY created_at DESC, id DESC LIMIT 1
          )
        `
      )
      const answer = yield* requestExport(userId)
      const broken = yield* read(answer)
      assert.deepInclude({ ...broken, status: answer.statusCode }, { status: 200, isWhole: false })
      assert.isAbove(broken.bytes, 1000)
      assert.isBelow(broken.bytes, whole.bytes)
      assert.include(String(yield* Effect.flip(exported("broken.json"))), "broken.json was not written")
      assert.deepStrictEqual(readdirSync(folder), ["whole.json"])

      // A row that another service reads first cannot be opened, so the response has not begun.
      yield* inDatabase(
        "payments",
        (sql) => sql`
            INSERT INTO payments.payments (
              organization_id, id, case_id, user_id, is_initial, is_prepared, status, version, differs_from_gateway, description,
              created_at, updated_at
            )
            VALUES (
              ${clinic.organizationId}, gen_random_uuid(), ${caseId}, ${userId}, false, false, 'UNPAID', 1, false, 'k1:no', now(),
              now()
            )
          `
      )
      const refused = yield* admin("GET", `/users/${userId}/export`)
      assert.isAtLeast(refused.status, 500)
    }).pipe(Effect.scoped)
  })
})

testsOn(Suite.layerWith({ IDLE_TIME_LIMIT: "1 second" }), "an export that nobody reads", (it) => {
  it("is ended by the gateway; one that is read slowly is not", function* () {
    yield* Effect.gen(function* () {
      const { secrets, urls } = yield* Suite
      const { userId } = yield* makeLargePatient
      const download = Effect.gen(function* () {
        const socket = yield* connection(urls.gateway)
        const headers = [`authorization: Bearer ${secrets.ADMIN_TOKEN}`]
        socket.write(rawRequest("GET", `/admin/v1/users/${userId}/export`, headers))
        return socket
      })
      const [unread, slow] = [yield* download, yield* download]
      assert.isAbove(yield* readSlowly(slow, 2), 2 * rows * bytesARow)
      assert.isBelow((yield* untilClosed(unread)).length, 2 * rows * bytesARow)
    }).pipe(Effect.scoped)
  })
})
