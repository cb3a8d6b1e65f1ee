import { text } from "node:stream/consumers"
import { layerAuditedDatabase } from "@care/audit/testing"
import { OrderId, OrganizationId } from "@care/domain/ids"
import { serveListener } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Pharmacy, PharmacyFailed } from "./Pharmacy.ts"
import { PharmacySettings } from "./PharmacySettings.ts"

const id = OrderId.make("3b241101-e2bb-4255-8caf-4136c566a962")
const organizationId = OrganizationId.make("11111111-1111-4111-8111-111111111111")
const body = JSON.stringify({ externalId: id, diagnosis: "kanarienvogel" })

const layerAt = (url: string | undefined) =>
  Pharmacy.layer.pipe(
    Layer.provide(
      Layer.succeed(PharmacySettings, {
        live: { api: url === undefined ? undefined : { url, token: Redacted.make("token") }, webhookSecrets: [] },
        test: { api: undefined, webhookSecrets: [] }
      })
    )
  )

const take = (url: string | undefined) =>
  Effect.flatMap(Pharmacy, (pharmacy) => pharmacy.take(organizationId, id, body)).pipe(Effect.provide(layerAt(url)))

const servePharmacy = (status: number, body: string) =>
  serveListener((_request, response) => response.writeHead(status, { "content-type": "application/json" }).end(body))

const receipt = JSON.stringify({ pharmacyOrderId: "RX-1", pharmacyName: "Good Pharmacy", items: [{ name: "A" }] })

layer(layerAuditedDatabase("cases"), { excludeTestServices: true })("the pharmacy", (it) => {
  it.effect("an order is sent with the token and its id, and the pharmacy's receipt is returned", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { url } = yield* serveListener(async (request, response) => {
        const { headers, method, url: path } = request
        const { authorization, traceparent } = headers
        seen.push([method, path, authorization, headers["idempotency-key"], traceparent, await text(request)])
        response.end(receipt)
      })
      assert.deepStrictEqual(yield* take(`${url}/v1`), JSON.parse(receipt))
      assert.deepStrictEqual(seen, [["POST", "/v1/orders", "Bearer token", id, undefined, body]])
    })
  )

  it.effect("without a pharmacy an order counts as taken", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* take(undefined), { pharmacyOrderId: null, pharmacyName: null })
    })
  )

  for (const [status, body, isRetryable, outcome] of [
    [422, '{"retryable":false}', false, "REFUSED"],
    [409, '{"retryable":false}', false, "REFUSED"],
    [400, "{}", false, "UNTAKEN"],
    [410, "{}", false, "UNTAKEN"],
    [413, "kanarienvogel", false, "UNTAKEN"],
    [413, '{"retryable":false}', false, "REFUSED"],
    [422, "{}", true, "UNKNOWN"],
    [409, '{"retryable":true}', true, "UNKNOWN"],
    [409, "kanarienvogel", true, "UNKNOWN"],
    [503, '{"retryable":false}', true, "UNKNOWN"],
    [408, "{}", true, "UNKNOWN"],
    [401, "{}", true, "UNTAKEN"],
    [404, "{}", true, "UNTAKEN"],
    [429, "{}", true, "UNTAKEN"],
    [503, "kanarienvogel", true, "UNKNOWN"],
    [200, "kanarienvogel", true, "UNKNOWN"],
    [200, '{"pharmacyOrderId":1}', true, "UNKNOWN"]
  ] as const) {
    it.effect(`${status} ${body} is ${isRetryable ? "retryable" : "final"} (${outcome}), and quoted nowhere`, () =>
      Effect.gen(function* () {
        const { url } = yield* servePharmacy(status, body)
        const error = yield* Effect.flip(take(url))
        assert.instanceOf(error, PharmacyFailed)
        assert.deepStrictEqual([error.isRetryable, error.outcome], [isRetryable, outcome])
        assert.notInclude(`${JSON.stringify(error)} ${error.message}`, "kanarienvogel")
      })
    )
  }

  it.effect("a pharmacy that is not there, or hangs up, is a retryable failure", () =>
    Effect.gen(function* () {
      const { url } = yield* serveListener(({ socket }) => void socket.destroy())
      for (const nobody of [url, "http://127.0.0.1:1"]) {
        assert.deepInclude(yield* Effect.flip(take(nobody)), {
          reason: "The pharmacy did not answer",
          isRetryable: true,
          outcome: "UNKNOWN"
        })
      }
    })
  )

  it.effect("a pharmacy that does not answer is waited for 10 seconds", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<void>()
      const { url } = yield* serveListener(() => void Deferred.doneUnsafe(arrived, Effect.void))
      const attempt = yield* Effect.forkChild(Effect.flip(take(url)))
      yield* Deferred.await(arrived)
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(attempt.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepInclude(yield* Fiber.join(attempt), { reason: "The pharmacy took too long", isRetryable: true })
    }).pipe(Effect.provide(TestClock.layer()))
  )

  it.effect("inside a transaction the pharmacy is not called", () =>
    Effect.gen(function* () {
      const { url } = yield* servePharmacy(200, receipt)
      const sql = yield* SqlClient.SqlClient
      yield* Effect.gen(function* () {
        const pharmacy = yield* Pharmacy
        const exit = yield* Effect.exit(sql.withTransaction(pharmacy.take(organizationId, id, body)))
        assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "inside a database transaction")
        yield* pharmacy.take(organizationId, id, body)
      }).pipe(Effect.provide(layerAt(url)))
    })
  )
})
