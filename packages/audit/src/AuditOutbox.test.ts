import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { isUnavailable, metricsWith, RequestId } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { AuditOutbox } from "./AuditOutbox.ts"
import { firstHash } from "./chainHash.ts"
import { makeAuditGauges } from "./layerAuditApi.ts"
import { makeAuditChains } from "./makeAuditChains.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { fillDisk } from "./testing/fillDisk.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"
import { makeOwnAudit } from "./testing/makeOwnAudit.ts"

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("a full disk under the audit", (it) => {
  it.effect("refuses reads, logs it once, counts them, and loses nothing; reads go on by themselves", () =>
    Effect.gen(function* () {
      const organizationId = OrganizationId.make(randomUUID())
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
      const [audit, { move }] = yield* makeOwnAudit()
      const read = (id: string) =>
        audit
          .read({ organizationId, action: "CASE_READ" })
          .pipe(Effect.provideService(RequestId, id), Effect.exit, Effect.provide(logger))
      const fillDiskWhile = <A, E, R>(room: number, work: Effect.Effect<A, E, R>) =>
        Effect.scoped(Effect.andThen(fillDisk(room), work))
      const requests = Effect.map((yield* makeAuditRepo).page({ organizationId, limit: 10 }), ({ data }) =>
        data.map(({ requestId }) => requestId)
      )
      const isRefused = (exit: Exit.Exit<void>) => Exit.isFailure(exit) && isUnavailable(Cause.squash(exit.cause))

      assert.isTrue(Exit.isSuccess(yield* read("before")))
      // Only a part of the first line is written, and nothing of the second.
      const refused = yield* fillDiskWhile(100, Effect.forEach(["broke-off", "refused"], read))
      assert.deepStrictEqual(refused.map(isRefused), [true, true])
      assert.lengthOf(lines, 1)
      assert.match(lines.join(), /level=ERROR .*Reads are refused.*ENOSPC/)
      assert.match(yield* PrometheusMetrics.format(), /^audit_reads_refused_total 2$/m)

      assert.isTrue(Exit.isSuccess(yield* read("after")))
      yield* move
      assert.sameMembers(yield* requests, ["before", "after"])

      assert.isTrue(isRefused(yield* fillDiskWhile(0, read("once-more"))))
      assert.lengthOf(lines, 2)

      // Of two lines in one write only one has room.
      const reads = Effect.forEach(["first", "second"], read, { concurrency: "unbounded" })
      assert.deepStrictEqual((yield* fillDiskWhile(500, reads)).map(isRefused), [true, true])
      assert.isTrue(Exit.isSuccess(yield* read("at-last")))
      yield* move
      // A refused read may still be recorded. An incomplete line is skipped, and does not hide later ones.
      assert.sameMembers(yield* requests, ["before", "after", "first", "at-last"])
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("the metrics of the audit", (it) => {
  it.effect("count what waits for its chain, and what for the database, also while that does not answer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [audit, outbox] = yield* makeOwnAudit()
      const link = yield* makeAuditChains
      const measure = yield* Effect.provideService(makeAuditGauges, AuditOutbox, outbox)
      const metrics = Effect.map(metricsWith([measure]), ({ body }) =>
        body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
      )
      const assertState = (text: string, unlinked: number, bytes: number) => {
        assert.match(text, new RegExp(`^audit_unlinked ${unlinked}$`, "m"))
        assert.match(text, new RegExp(`^audit_outbox_bytes ${bytes}$`, "m"))
      }
      assertState(yield* metrics, 0, 0)
      const organizationId = OrganizationId.make(randomUUID())
      yield* audit.read({ organizationId, action: "CASE_READ" })
      const bytes = yield* outbox.bytes
      assert.isAbove(bytes, 0)
      assertState(yield* metrics, 0, bytes)
      const away = yield* Effect.acquireUseRelease(
        sql`ALTER TABLE audit_waiting RENAME TO elsewhere`,
        () => metrics,
        () => Effect.orDie(sql`ALTER TABLE elsewhere RENAME TO audit_waiting`)
      )
      assert.match(away, new RegExp(`^audit_outbox_bytes ${bytes}$`, "m"))
      assert.notMatch(away, /^audit_unlinked /m)
      yield* outbox.move
      assertState(yield* metrics, 0, 0)
      yield* audit.changed({ organizationId, action: "PROFILE_CHANGED" })
      assertState(yield* metrics, 1, 0)
      yield* link
      assertState(yield* metrics, 0, 0)
      const inDefault = (count: number) => `default_partition_rows{table="audit_entries"} ${count}`
      assert.include(yield* metrics, inDefault(0))
      yield* sql`
        INSERT INTO audit_entries (organization_id, number, id, at, month, kinds, hash, action, actor_type, request_name)
        VALUES (${organizationId}, 9, ${randomUUID()}, now(), 203501, 0, decode(${firstHash}, 'hex'), 'CASE_READ', 'JOB', 'none')
      `
      assert.include(yield* metrics, inDefault(1))
    }).pipe(Effect.scoped)
  )
})
