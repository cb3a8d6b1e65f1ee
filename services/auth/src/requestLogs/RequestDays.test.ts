import { randomUUID } from "node:crypto"
import { ApiKeyId, OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layerBase } from "../../test/layerAuth.ts"
import { RequestDays } from "./RequestDays.ts"
import { RequestLogs } from "./RequestLogs.ts"

const newOrganization = () => OrganizationId.make(randomUUID())

layer(Layer.provideMerge(Layer.mergeAll(RequestDays.layer, RequestLogs.layer), layerBase))("RequestDays", (it) => {
  const store = (organizationId: OrganizationId, statuses: ReadonlyArray<number>, dropped: ReadonlyArray<Date> = []) =>
    Effect.gen(function* () {
      const at = yield* DateTime.nowAsDate
      const requests = statuses.map((status) => ({
        organizationId,
        id: randomUUID(),
        at,
        method: "GET",
        path: "/api/v1/events",
        status,
        durationMs: 3,
        requestId: randomUUID(),
        apiKeyId: ApiKeyId.make(randomUUID()),
        errorCode: null,
        version: null
      }))
      const batch = { requests, dropped: dropped.map((at) => ({ organizationId, at })) }
      yield* (yield* RequestLogs).store(JSON.stringify(batch))
    })

  const daysOf = (organizationId: OrganizationId) => Effect.flatMap(RequestDays, (days) => days.list(organizationId))

  it.effect("counts the requests of today and of the six days before, and what was refused and failed", () =>
    Effect.gen(function* () {
      const [counted, other] = [newOrganization(), newOrganization()]
      yield* TestClock.setTime(Date.parse("2026-11-20T23:59:59.999Z"))
      yield* store(counted, [200])
      yield* TestClock.adjust("1 millis")
      yield* store(counted, [200, 304, 422, 500])
      yield* store(other, [404])
      yield* TestClock.setTime(Date.parse("2026-11-27T12:00:00.000Z"))
      yield* store(counted, [201, 404, 429], [yield* DateTime.nowAsDate])
      const days = yield* daysOf(counted)
      assert.deepStrictEqual(
        days.map(({ begunAt }) => begunAt.toISOString()),
        [21, 22, 23, 24, 25, 26, 27].map((day) => `2026-11-${day}T00:00:00.000Z`)
      )
      const counts = days.map(({ failed, isComplete, refused, requests }) => [requests, refused, failed, isComplete])
      const none = [0, 0, 0, true]
      assert.deepStrictEqual(counts, [[4, 1, 1, true], none, none, none, none, none, [3, 2, 0, false]])
      assert.deepInclude((yield* daysOf(other))[0], { requests: 1, refused: 1, failed: 0 })
    })
  )

  it.effect("an organization without requests has seven days without", () =>
    Effect.gen(function* () {
      const days = yield* daysOf(newOrganization())
      assert.deepStrictEqual(
        days.map(({ requests }) => requests),
        [0, 0, 0, 0, 0, 0, 0]
      )
    })
  )
})
