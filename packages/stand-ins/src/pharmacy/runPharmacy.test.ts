import { rmSync } from "node:fs"
import { join } from "node:path"
import { freePort, serveListener, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { runPharmacy } from "./runPharmacy.ts"

const secret = `whsec_${Buffer.alloc(32).toString("base64")}`
const decodePage = Schema.decodeUnknownSync(
  Schema.Struct({
    changes: Schema.Array(Schema.Struct({ id: Schema.String })),
    next: Schema.String,
    hasMore: Schema.Boolean
  })
)
const order = { externalId: "o1", pharmacyId: "p1", prescriptionItems: [{ drugId: "semaglutide-0.25" }] }

it.live("the sandbox's pharmacy takes an order once, also after a restart, and authenticates its callers", () =>
  Effect.gen(function* () {
    const port = yield* freePort
    const { url } = yield* serveListener((_request, response) => response.writeHead(204).end())
    const file = join(yield* temporaryFolder(), "pharmacy.journal")
    const request = (method: string, path: string, body: unknown, token = "token") =>
      Effect.promise(async () => {
        const answer = await fetch(`http://127.0.0.1:${port}/${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, "idempotency-key": "o1", connection: "close" },
          body: JSON.stringify(body)
        })
        return [answer.status, await answer.json()] as const
      })
    const running = <A, E>(use: Effect.Effect<A, E>) =>
      Effect.andThen(runPharmacy({ port, accounts: [{ token: "token", callback: { url, secret }, file }] }), use).pipe(
        Effect.scoped
      )

    const [status, accepted] = yield* running(request("POST", "orders", order))
    assert.strictEqual(status, 200)
    assert.deepInclude(accepted, { pharmacyName: "Sandbox Pharmacy", items: [{ name: "Semaglutide 0.25" }] })
    yield* running(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* request("POST", "orders", order), [200, accepted])
        assert.deepStrictEqual((yield* request("POST", "orders", order, "other"))[0], 401)
        assert.deepStrictEqual((yield* request("POST", "orders", { externalId: "o1" }))[0], 400)
        const other = yield* request("POST", "orders", { ...order, diagnosis: "another" })
        const error = "This Idempotency-Key came with another body"
        assert.deepStrictEqual(other, [409, { error, retryable: false }])
        yield* request("PUT", "control/pharmacies/p1", { answers: ["reject", "busy", "down", "accept"] })
        const statuses = yield* Effect.forEach([1, 2, 3, 4, 5], () =>
          Effect.map(request("POST", "orders", order), ([one]) => one)
        )
        assert.deepStrictEqual(statuses, [422, 409, 503, 200, 200])
        const status = yield* request("POST", "control/orders/o1/updates", { data: { status: "SHIPPED" } })
        assert.deepStrictEqual(status, [200, { status: 204 }])
      })
    )
  }).pipe(Effect.scoped)
)

it.live("the sandbox's pharmacy keeps the changes of orders over a restart, and starts empty without its file", () =>
  Effect.gen(function* () {
    const port = yield* freePort
    const file = join(yield* temporaryFolder(), "pharmacy.journal")
    const headers = { authorization: "Bearer token", connection: "close" }
    const at = (path: string) => `http://127.0.0.1:${port}/${path}`
    const callback = { url: "http://127.0.0.1:1", secret }
    const running = <A, E>(use: Effect.Effect<A, E>) =>
      Effect.andThen(runPharmacy({ port, accounts: [{ token: "token", callback, file }] }), use).pipe(Effect.scoped)
    const happen = (id: string) =>
      Effect.promise(async () => {
        const body = JSON.stringify({ id, isLost: true, data: { status: "SHIPPED" } })
        const answer = await fetch(at("control/orders/o1/updates"), { method: "POST", headers, body })
        assert.strictEqual(answer.status, 200)
      })
    const changesAfter = (after: string) =>
      Effect.promise(async () => {
        const answer = await fetch(at(`orders/changes?limit=2${after}`), { headers })
        const { changes, hasMore, next } = decodePage(await answer.json())
        return [changes.map(({ id }) => id), next, hasMore]
      })
    yield* running(Effect.forEach(["a", "b", "c"], happen))
    yield* running(
      Effect.gen(function* () {
        yield* happen("d")
        assert.deepStrictEqual(yield* changesAfter(""), [["a", "b"], "2", true])
        assert.deepStrictEqual(yield* changesAfter("&after=2"), [["c", "d"], "4", false])
      })
    )
    rmSync(file)
    yield* running(
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* changesAfter("&after=4"), [[], "0", false])
        yield* happen("e")
        assert.deepStrictEqual(yield* changesAfter("&after=4"), [["e"], "1", false])
      })
    )
  }).pipe(Effect.scoped)
)
