import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { layerPool } from "@care/service-kit"
import { countLockWaits, makeTestDatabase, temporaryFolder, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditMonths } from "./makeAuditMonths.ts"
import { makeCheckpoints } from "./makeCheckpoints.ts"
import { atMoment } from "./testing/atMoment.ts"

const script = join(import.meta.dirname, "./testing/readingProcess.ts")

// Returns whether a line is the process's own output, and not one of its log.
const isRead = (line: string) => /^(refused )?read-\d+$/.test(line)

/** Runs a process that records reads, kills it after enough answers, and returns them. `limit` is a shell command. */
const killWhen = (isEnough: (output: string) => boolean, parameters: ReadonlyArray<string>, limit = ":") =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const command = ["-c", `${limit}; exec "$0" "$@"`, process.execPath, script, ...parameters]
    const child = spawn("sh", command, { stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      if (isEnough(output)) child.kill("SIGKILL")
    })
    child.once("close", () => resume(Effect.succeed(output.split("\n").slice(0, -1).filter(isRead))))
  })

/** Makes a database and an outbox folder, and a function that takes the outbox over and reads the records of an organization. */
const prepare = Effect.gen(function* () {
  const { urls } = yield* makeTestDatabase
  const folder = yield* temporaryFolder()
  const url = Redacted.make(urls.cases)
  const database = layerPool({ url, schema: "cases", connections: 2, backgroundConnections: 2 })
  const stored = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* (yield* AuditOutbox).takeOver
    yield* yield* makeAuditChains
    const rows = yield* sql<{ organization: string; request: string }>`
      SELECT organization_id AS organization, request_name AS request FROM audit_entries
    `
    return (id: string) => rows.filter(({ organization }) => organization === id).map(({ request }) => request)
  }).pipe(Effect.provide(AuditOutbox.layer(folder).pipe(Layer.provideMerge(Layer.merge(database, layerTestCipher)))))
  return { parametersOf: (organizationId: string) => [urls.cases, folder, organizationId], stored }
})

it.live("no read that was answered is lost when its process is killed, wherever it was, and none is there twice", () =>
  Effect.gen(function* () {
    const { parametersOf, stored } = yield* prepare
    const promised = new Map<string, ReadonlyArray<string>>()
    for (const count of [1, 150, 400, 900]) {
      const organizationId = randomUUID()
      promised.set(
        organizationId,
        yield* killWhen((output) => output.split("\n").length > count, parametersOf(organizationId))
      )
    }
    const found = yield* stored
    for (const [organizationId, requests] of promised) {
      assert.isAbove(requests.length, 0)
      const ofOwn = found(organizationId)
      assert.strictEqual(new Set(ofOwn).size, ofOwn.length)
      assert.includeMembers(ofOwn, [...requests])
    }
  }).pipe(Effect.scoped)
)

it.live("a full file refuses reads until there is another: no answered read is lost, no refused read is stored", () =>
  Effect.gen(function* () {
    const { parametersOf, stored } = yield* prepare
    const organizationId = randomUUID()
    // With a file limit of 2 KiB (4 KiB in some shells) the process uses one file after the other as it moves them.
    const goesOn = (output: string) => {
      const refused = output.indexOf("refused read-")
      return refused !== -1 && output.lastIndexOf("\nread-") > refused
    }
    const answered = yield* killWhen(goesOn, parametersOf(organizationId), "ulimit -f 4")
    const read = answered.filter((line) => line.startsWith("read"))
    const refused = answered.filter((line) => !line.startsWith("read")).map((line) => line.replace("refused ", ""))
    assert.isAbove(refused.length, 0)
    const found = (yield* stored)(organizationId)
    assert.includeMembers(found, [...read])
    assert.deepStrictEqual(
      found.filter((request) => refused.includes(request)),
      []
    )
  }).pipe(Effect.scoped)
)

const endingScript = join(import.meta.dirname, "./testing/endingProcess.ts")

/** Starts a process that ends months or links records in June, and returns the effect that kills it. */
const startEnding = (url: string, work: "end" | "link") =>
  Effect.sync(() => {
    const child = spawn(process.execPath, [endingScript, url, work], { stdio: "inherit" })
    return Effect.callback<void>((resume) => {
      child.once("close", () => resume(Effect.void))
      child.kill("SIGKILL")
    })
  })

it.live("a process that is killed while a month ends leaves it to the next one: each link has a checkpoint, once", () =>
  Effect.gen(function* () {
    const { urls } = yield* makeTestDatabase
    const database = layerPool({
      url: Redacted.make(urls.cases),
      schema: "cases",
      connections: 10,
      backgroundConnections: 6
    })
    const [inMay, inJune] = ["2026-05-20T00:00:00Z", "2026-06-20T00:00:00Z"].map(atMoment)
    if (inMay === undefined || inJune === undefined) return assert.fail()
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const link = yield* makeAuditChains
      const { end } = yield* makeAuditMonths
      const { list } = yield* makeCheckpoints
      const turns = sql`
        SELECT FROM pg_locks WHERE locktype = 'advisory'
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      `
      const waits = (organizationId: string) =>
        sql`
          INSERT INTO audit_waiting (organization_id, id, at, action, actor_type, request_id, kinds)
          VALUES (${organizationId}, ${randomUUID()}, now() - interval '1 year', 'CASE_READ', 'JOB', 'none', '{}')
        `
      // Where the process is when it is killed: before it stores checkpoints, the ends of the chains, or the records of the next month.
      for (const table of ["audit_checkpoints", "audit_heads", "audit_entries"]) {
        const organizationIds = Array.from({ length: 20 }, () => OrganizationId.make(randomUUID()))
        for (const organizationId of organizationIds) yield* waits(organizationId)
        yield* inMay(link)
        for (const organizationId of organizationIds.slice(10)) yield* waits(organizationId)
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE ${sql(table)} IN SHARE MODE`
            const kill = yield* startEnding(urls.cases, table === "audit_entries" ? "link" : "end")
            yield* until(countLockWaits(), (count) => count > 0)
            yield* kill
          })
        )
        // PostgreSQL notices a moment later, and until then it is the turn of the process.
        yield* until(turns, ({ length }) => length === 0)
        yield* Effect.all([inJune(end), inJune(link), inJune(end), inJune(link)], { concurrency: "unbounded" })
        yield* inJune(link)
        yield* inJune(end)
        for (const [index, organizationId] of organizationIds.entries()) {
          const checkpoints = yield* list(organizationId, 0, 10)
          assert.deepStrictEqual(
            checkpoints.map(({ count, countBefore, isGenuine, month }) => [month, countBefore, count, isGenuine]),
            [[202605, 0, 1, true]]
          )
          const months = yield* sql<{ month: number }>`
            SELECT month FROM audit_entries WHERE organization_id = ${organizationId} ORDER BY number
          `
          assert.deepStrictEqual(
            months.map(({ month }) => month),
            index < 10 ? [202605] : [202605, 202606]
          )
        }
      }
    }).pipe(Effect.provide(Layer.merge(database, layerTestCipher)))
  }).pipe(Effect.scoped)
)
