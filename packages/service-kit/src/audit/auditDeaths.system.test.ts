import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { layerPool } from "../sql/layerDatabase.ts"
import { makeTestDatabase } from "../testing/layerTestDatabase.ts"
import { temporaryFolder } from "../testing/temporaryFolder.ts"
import { AuditSpool } from "./AuditSpool.ts"

const script = join(import.meta.dirname, "../testing/readingProcess.ts")

/** Lets a process record reads until it has promised so many, and kills it: those that it promised. */
const killAfter = (count: number, parameters: ReadonlyArray<string>) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const child = spawn(process.execPath, [script, ...parameters], { stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
      if (output.split("\n").length > count) child.kill("SIGKILL")
    })
    child.once("close", () => resume(Effect.succeed(output.split("\n").slice(0, -1))))
  })

it.live("no read that was answered is lost when its process is killed, wherever it was, and none is there twice", () =>
  Effect.gen(function* () {
    const { urls } = yield* makeTestDatabase
    const folder = yield* temporaryFolder()
    const database = layerPool({
      url: Redacted.make(urls.cases),
      schema: "cases",
      connections: 2,
      backgroundConnections: 2
    })
    const promised = new Map<string, ReadonlyArray<string>>()
    for (const count of [1, 150, 400, 900]) {
      const organizationId = randomUUID()
      promised.set(organizationId, yield* killAfter(count, [urls.cases, folder, organizationId]))
    }
    const stored = yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* (yield* AuditSpool).takeOver
      return yield* sql<{ organization: string; request: string }>`
        SELECT organization_id AS organization, request_id AS request FROM audit_records
      `
    }).pipe(Effect.provide(AuditSpool.layer(folder).pipe(Layer.provideMerge(database))))

    for (const [organizationId, requests] of promised) {
      assert.isAbove(requests.length, 0)
      const found = stored.filter(({ organization }) => organization === organizationId).map(({ request }) => request)
      assert.strictEqual(new Set(found).size, found.length)
      assert.includeMembers(found, [...requests])
    }
  }).pipe(Effect.scoped)
)
