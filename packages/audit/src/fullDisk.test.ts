import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { isUnavailable, RequestId } from "@care/service-kit"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Logger, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { Audit } from "./Audit.ts"
import { AuditOutbox } from "./AuditOutbox.ts"
import { makeAuditRepo } from "./makeAuditRepo.ts"
import { fillDisk } from "./testing/fillDisk.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("a full disk under the audit", (it) => {
  it.effect("refuses reads, says so once, counts them, and spoils nothing; reads go on by themselves", () =>
    Effect.gen(function* () {
      const organizationId = OrganizationId.make(randomUUID())
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
      const layerOwn = Layer.provideMerge(Layer.fresh(Audit.layer), AuditOutbox.layer(yield* temporaryFolder()))
      const context = yield* Layer.build(layerOwn)
      const [audit, { move }] = [Context.get(context, Audit), Context.get(context, AuditOutbox)]
      const read = (id: string) =>
        audit
          .read({ organizationId, action: "CASE_READ" })
          .pipe(Effect.provideService(RequestId, id), Effect.exit, Effect.provide(logger))
      const isRefused = (exit: Exit.Exit<void>) => Exit.isFailure(exit) && isUnavailable(Cause.squash(exit.cause))

      assert.isTrue(Exit.isSuccess(yield* read("before")))
      yield* Effect.scoped(
        Effect.gen(function* () {
          // Of the first a part is written, of the second nothing.
          yield* fillDisk(100)
          assert.isTrue(isRefused(yield* read("broke-off")))
          assert.isTrue(isRefused(yield* read("refused")))
        })
      )
      assert.lengthOf(lines, 1)
      assert.match(lines.join(), /level=ERROR .*Reads are refused.*ENOSPC/)
      assert.match(yield* PrometheusMetrics.format(), /^audit_reads_refused_total 2$/m)

      assert.isTrue(Exit.isSuccess(yield* read("after")))
      yield* move
      const requests = (yield* (yield* makeAuditRepo).page({ organizationId, limit: 10 })).data.map(
        (row) => row.requestId
      )
      assert.sameMembers(requests, ["before", "after"])

      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* fillDisk(0)
          assert.isTrue(isRefused(yield* read("once-more")))
        })
      )
      assert.lengthOf(lines, 2)

      // Of those that are written together one has room.
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* fillDisk(500)
          const together = yield* Effect.forEach(["first", "second"], read, { concurrency: "unbounded" })
          assert.deepStrictEqual(together.map(isRefused), [true, true])
        })
      )
      assert.isTrue(Exit.isSuccess(yield* read("at-last")))
      yield* move
      // One that is refused may be recorded; none is that was not whole, and none is lost behind it.
      const { data: all } = yield* (yield* makeAuditRepo).page({ organizationId, limit: 10 })
      assert.sameMembers(
        all.map(({ requestId }) => requestId),
        ["before", "after", "first", "at-last"]
      )
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map()))
  )
})
