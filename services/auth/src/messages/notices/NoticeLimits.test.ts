import { randomUUID } from "node:crypto"
import { MessageId, OrganizationId, UserId } from "@care/domain/ids"
import { Time } from "@care/service-kit"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { SqlClient } from "effect/sql"
import { layerBase, layerSettings } from "../../../test/layerAuth.ts"
import { NoticeLimits } from "./NoticeLimits.ts"

const TestLayer = NoticeLimits.layer.pipe(Layer.provide(layerSettings()), Layer.provideMerge(layerBase))

layer(TestLayer, { excludeTestServices: true })("notices to one address", (it) => {
  const newNotice = () => ({
    organizationId: OrganizationId.make(randomUUID()),
    userId: UserId.make(randomUUID()),
    kind: "CASE_OPENED",
    to: `${randomUUID()}@example.com`,
    id: MessageId.make(randomUUID())
  })
  const another = <A extends object>(notice: A) => ({ ...notice, id: MessageId.make(randomUUID()) })

  it.effect(
    "are at most 30 of a kind in a day, also in parallel; the others are logged without the address, and counted",
    () =>
      Effect.gen(function* () {
        const { admit } = yield* NoticeLimits
        const notice = newNotice()
        const lines: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatLogFmt, (line) => void lines.push(line))])
        const notices = Array.from({ length: 45 }, () => another(notice))
        const admitted = yield* Effect.forEach(notices, admit, { concurrency: "unbounded" }).pipe(
          Effect.provide(logger)
        )
        assert.lengthOf(
          admitted.filter((isAdmitted) => isAdmitted),
          30
        )
        assert.lengthOf(lines, 15)
        assert.match(lines[0] ?? "", /level=WARN .*is not sent/)
        assert.include(lines[0], notice.userId)
        assert.notInclude(lines.join(), notice.to)
        assert.match(
          yield* PrometheusMetrics.format(),
          /^notices_left_out_total\{kind="CASE_OPENED",mode="live"\} 15$/m
        )
        // Those of sandboxes, of which operators are not alerted, are counted apart.
        const sandbox = { organizationId: notice.organizationId, aheadMillis: 0, resets: 0 }
        yield* (yield* SqlClient.SqlClient)`INSERT INTO test_organizations (organization_id) VALUES (${notice.organizationId})`
        assert.isFalse(yield* Effect.provideService(admit(another(notice)), Time.TestOrganization, sandbox))
        assert.match(yield* PrometheusMetrics.format(), /^notices_left_out_total\{kind="CASE_OPENED",mode="test"\} 1$/m)
        // A repeated attempt gets the answer of the first.
        const again = yield* Effect.forEach(notices, admit, { concurrency: "unbounded" })
        assert.deepStrictEqual(again, admitted)
        for (const other of [
          { ...another(notice), kind: "CASE_ASSIGNED" },
          { ...another(notice), to: `${randomUUID()}@example.com` },
          { ...another(notice), organizationId: OrganizationId.make(randomUUID()) }
        ]) {
          assert.isTrue(yield* admit(other))
        }
      }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()))
  )

  it.effect("are sent again a day after the first; and the address is nowhere in the database", () =>
    Effect.gen(function* () {
      const { admit } = yield* NoticeLimits
      const sql = yield* SqlClient.SqlClient
      const notice = newNotice()
      for (let count = 0; count < 30; count += 1) assert.isTrue(yield* admit(another(notice)))
      assert.isFalse(yield* admit(notice))
      const rows = yield* sql<{ row: string }>`
        SELECT to_jsonb(c)::text AS row FROM notice_counts c WHERE organization_id = ${notice.organizationId}
      `
      assert.lengthOf(rows, 1)
      assert.notInclude(rows[0]?.row, notice.to)
      yield* sql`
        UPDATE notice_counts SET begun_at = begun_at - interval '1 day' WHERE organization_id = ${notice.organizationId}
      `
      assert.isTrue(yield* admit(notice))
      assert.isTrue(yield* admit(another(notice)))
    })
  )
})
