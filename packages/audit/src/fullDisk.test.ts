import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { isUnavailable, RequestId } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
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
      // A part of the first is written, and nothing of the second.
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

      // Of two that are written together one has room.
      const reads = Effect.forEach(["first", "second"], read, { concurrency: "unbounded" })
      assert.deepStrictEqual((yield* fillDiskWhile(500, reads)).map(isRefused), [true, true])
      assert.isTrue(Exit.isSuccess(yield* read("at-last")))
      yield* move
      // A refused read may be recorded. An incomplete one is not, and hides none after it.
      assert.sameMembers(yield* requests, ["before", "after", "first", "at-last"])
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})
