import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrganizationId, type WebhookEndpointId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { Once } from "@care/once"
import { layerTestCipher } from "@care/phi/testing"
import { Egress } from "@care/service-kit"
import type { Outcome } from "@care/webhooks"
import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { PartnerEndpoints } from "./PartnerEndpoints.ts"
import { WebhookEndpoints } from "./WebhookEndpoints.ts"

// As strict as in production. No name may be looked up.
const layerEgress = Egress.layerWith({ isProduction: true, resolve: () => assert.fail("a name is looked up") })

const TestLayer = Layer.mergeAll(EndpointSecrets.layer, PartnerEndpoints.layer, WebhookEndpoints.layer).pipe(
  Layer.provide([layerIdleJobs, layerEgress, Once.layer]),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("cases"), layerTestCipher))
)

layer(TestLayer)("WebhookEndpoints", (it) => {
  const add = Effect.fnUntraced(function* (organizationId = OrganizationId.make(randomUUID())) {
    const { create } = yield* EndpointSecrets
    return { organizationId, ...(yield* create(organizationId, { url: "https://shop.example.com/x" }, undefined)) }
  })
  type Added = Effect.Success<ReturnType<typeof add>>

  const secretsOf = ({ id, organizationId }: Added) =>
    Effect.flatMap(WebhookEndpoints, ({ signing }) => signing(organizationId, id)).pipe(
      Effect.map(Option.match({ onNone: () => [], onSome: ({ secrets }) => secrets }))
    )
  const rotate = ({ id, organizationId }: Added) =>
    Effect.flatMap(EndpointSecrets, ({ rotate }) => rotate({ organizationId, id, key: undefined })).pipe(
      Effect.map(({ secret }) => secret)
    )
  const note = ({ id, organizationId }: Added, outcome: Outcome) =>
    Effect.gen(function* () {
      const endpoints = yield* WebhookEndpoints
      const changedAt = Option.match(yield* endpoints.signing(organizationId, id), {
        onNone: () => new Date(0),
        onSome: (signing) => signing.changedAt
      })
      const at = yield* DateTime.nowAsDate
      const { isEnabled } = yield* endpoints.outcome(organizationId, id, { outcome, at, changedAt })
      return isEnabled
    })
  const read = ({ id, organizationId }: Added) => Effect.flatMap(PartnerEndpoints, ({ get }) => get(organizationId, id))
  const enable = ({ id, organizationId }: Added) =>
    Effect.flatMap(PartnerEndpoints, ({ change }) => change(organizationId, id, { enabled: true }))
  // The events of webhooks themselves, and the jobs that send email.
  const notificationsOf = (organizationId: OrganizationId) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* sql<{ data: { endpointId: WebhookEndpointId; reason: string }; exceptEndpoint: string }>`
        SELECT data, except_endpoint FROM own_events
        WHERE organization_id = ${organizationId} AND type = 'webhook.endpoint.disabled'
      `
      const jobs = yield* sql`
        SELECT id FROM jobs WHERE organization_id = ${organizationId} AND queue_name = 'webhook-endpoint-notice'
      `
      return { events: events.map(({ data, exceptEndpoint }) => ({ ...data, exceptEndpoint })), emails: jobs.length }
    })

  it.effect("a rotated secret is valid for 24 hours more, after the new one, and not a moment longer", () =>
    Effect.gen(function* () {
      const endpoint = yield* add()
      assert.deepStrictEqual(yield* secretsOf(endpoint), [endpoint.secret])
      const second = yield* rotate(endpoint)
      assert.deepStrictEqual(yield* secretsOf(endpoint), [second, endpoint.secret])
      yield* TestClock.adjust(Duration.subtract(Duration.hours(24), Duration.millis(1)))
      assert.deepStrictEqual(yield* secretsOf(endpoint), [second, endpoint.secret])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* secretsOf(endpoint), [second])
    })
  )

  it.effect("after parallel and repeated rotations within 24 hours, only the newest two secrets are valid", () =>
    Effect.gen(function* () {
      const endpoint = yield* add()
      const rotated = yield* Effect.replicateEffect(rotate(endpoint), 10, { concurrency: "unbounded" })
      assert.strictEqual(new Set([endpoint.secret, ...rotated]).size, 11)
      const [newest, before, ...older] = yield* secretsOf(endpoint)
      assert.includeMembers(rotated, [newest ?? assert.fail(), before ?? assert.fail()])
      assert.deepStrictEqual(older, [])
      const last = yield* rotate(endpoint)
      assert.deepStrictEqual(yield* secretsOf(endpoint), [last, newest ?? assert.fail()])
    })
  )

  it.effect("five days without a success disable an endpoint, once, and a success restarts them", () =>
    Effect.gen(function* () {
      const endpoint = yield* add()
      assert.isTrue(yield* note(endpoint, "FAILED"))
      const { failingSince, updatedAt } = yield* read(endpoint)
      assert.deepStrictEqual([failingSince, updatedAt], [endpoint.createdAt, endpoint.createdAt])
      yield* TestClock.adjust("4 days")
      assert.isTrue(yield* note(endpoint, "FAILED"))
      assert.isTrue(yield* note(endpoint, "DELIVERED"))
      assert.isNull((yield* read(endpoint)).failingSince)
      assert.isTrue(yield* note(endpoint, "FAILED"))
      yield* TestClock.adjust(Duration.subtract(Duration.days(5), Duration.millis(1)))
      assert.isTrue(yield* note(endpoint, "FAILED"))
      assert.deepStrictEqual(yield* notificationsOf(endpoint.organizationId), { events: [], emails: 0 })
      yield* TestClock.adjust("1 millis")
      const outcomes = yield* Effect.replicateEffect(note(endpoint, "FAILED"), 10, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        outcomes,
        outcomes.map(() => false)
      )
      assert.deepInclude(yield* read(endpoint), { enabled: false, disabledReason: "FAILING" })
      const disabled = { endpointId: endpoint.id, reason: "FAILING", exceptEndpoint: endpoint.id }
      assert.deepStrictEqual(yield* notificationsOf(endpoint.organizationId), { events: [disabled], emails: 1 })
      assert.deepInclude(yield* enable(endpoint), { enabled: true, disabledReason: null, failingSince: null })
      assert.isTrue(yield* note(endpoint, "FAILED"))
    })
  )

  it.effect("410 disables an endpoint at once, and a late success does not enable it", () =>
    Effect.gen(function* () {
      const endpoint = yield* add()
      yield* TestClock.adjust("1 second")
      const at = yield* DateTime.nowAsDate
      assert.isFalse(yield* note(endpoint, "GONE"))
      assert.deepStrictEqual((yield* read(endpoint)).updatedAt, at)
      assert.isFalse(yield* note(endpoint, "GONE"))
      assert.isFalse(yield* note(endpoint, "DELIVERED"))
      assert.deepInclude(yield* read(endpoint), { enabled: false, disabledReason: "GONE" })
      const { emails, events } = yield* notificationsOf(endpoint.organizationId)
      assert.deepStrictEqual([emails, events.length], [1, 1])
    })
  )

  it.effect("the queue of a disabled endpoint is paused, from its creation on, until it is enabled", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = OrganizationId.make(randomUUID())
      const { change } = yield* PartnerEndpoints
      const changes = { url: "https://shop.example.com/x", enabled: false }
      const { id } = yield* (yield* EndpointSecrets).create(organizationId, changes, undefined)
      const isPaused = Effect.map(
        sql<{ isPaused: boolean }>`SELECT is_paused FROM delivery_queues WHERE organization_id = ${organizationId}`,
        ([queue]) => queue?.isPaused
      )
      assert.isTrue(yield* isPaused)
      yield* change(organizationId, id, { enabled: true })
      assert.isFalse(yield* isPaused)
      yield* change(organizationId, id, { enabled: false })
      assert.isTrue(yield* isPaused)
    })
  )

  it.effect("another URL resets the failure of an endpoint, and the same URL does not", () =>
    Effect.gen(function* () {
      const endpoint = yield* add()
      const { change } = yield* PartnerEndpoints
      assert.isTrue(yield* note(endpoint, "FAILED"))
      const same = yield* change(endpoint.organizationId, endpoint.id, { url: endpoint.url })
      assert.isNotNull(same.failingSince)
      const moved = yield* change(endpoint.organizationId, endpoint.id, { url: "https://shop.example.com/moved" })
      assert.isNull(moved.failingSince)
    })
  )

  it.effect("a failure at the former URL of an endpoint neither counts nor disables it", () =>
    Effect.gen(function* () {
      const endpoint = yield* add()
      const { id, organizationId } = endpoint
      const endpoints = yield* WebhookEndpoints
      const before = Option.getOrThrow(yield* endpoints.signing(organizationId, id))
      yield* TestClock.adjust("1 second")
      yield* (yield* PartnerEndpoints).change(organizationId, id, { url: "https://shop.example.com/moved" })
      for (const outcome of ["FAILED", "GONE"] as const) {
        const at = yield* DateTime.nowAsDate
        const attempt = { outcome, at, changedAt: before.changedAt }
        assert.isTrue((yield* endpoints.outcome(organizationId, id, attempt)).isEnabled)
      }
      assert.deepInclude(yield* read(endpoint), { enabled: true, disabledReason: null, failingSince: null })
      assert.isFalse(yield* note(endpoint, "GONE"))
    })
  )

  it.effect("a deleted endpoint has no outcome, and nobody is notified", () =>
    Effect.gen(function* () {
      const endpoint = yield* add()
      yield* (yield* PartnerEndpoints).remove(endpoint.organizationId, endpoint.id)
      for (const outcome of ["FAILED", "GONE", "DELIVERED"] as const) assert.isFalse(yield* note(endpoint, outcome))
      assert.deepStrictEqual(yield* secretsOf(endpoint), [])
      assert.deepStrictEqual(yield* notificationsOf(endpoint.organizationId), { events: [], emails: 0 })
    })
  )

  it.effect("in production, only https URLs without credentials and private addresses are accepted", () =>
    Effect.gen(function* () {
      const { create } = yield* EndpointSecrets
      const endpoint = yield* add()
      const { change } = yield* PartnerEndpoints
      for (const url of [
        "http://shop.example.com/x",
        "http://127.0.0.1:8080/x",
        "https://127.0.0.1/x",
        "https://10.1.2.3/x",
        "https://169.254.169.254/latest",
        "https://2130706433/x",
        "https://[::1]/x",
        "https://me:secret@shop.example.com/x"
      ]) {
        for (const refusal of [
          yield* Effect.flip(create(endpoint.organizationId, { url }, undefined)),
          yield* Effect.flip(change(endpoint.organizationId, endpoint.id, { url }))
        ]) {
          assert.deepInclude(refusal, { _tag: "RequestInvalid", path: "url" }, url)
        }
      }
      assert.strictEqual((yield* read(endpoint)).url, endpoint.url)
    })
  )
})
