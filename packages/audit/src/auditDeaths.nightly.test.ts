import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { layerTestCipher } from "@care/phi/testing"
import { layerPool } from "@care/service-kit"
import { makeTestDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { makeAuditChains } from "./makeAuditChains.ts"

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
