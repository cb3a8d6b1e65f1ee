import type { IncomingMessage, ServerResponse } from "node:http"
import { json } from "node:stream/consumers"
import { serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { runAt } from "../test/runAt.ts"

const difference = (id: string) => ({
  source: "stripe-money",
  action: "REPORTED",
  what: "Stripe holds money for an intent that pays nothing here",
  id,
  organizationId: null
})

const step = (state: string, ids: ReadonlyArray<string> = []) => ({
  state,
  sources: state === "BUSY" ? [] : [{ name: "stripe-money", state, compared: 10 }],
  differences: ids.map(difference)
})

/** A gateway whose services answer these steps in order, and repeat the last one. */
const gatewayOf = (steps: Readonly<Record<string, ReadonlyArray<ReturnType<typeof step>>>>) => {
  const requested: Array<string> = []
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { service } = Object(await json(request))
    const remainingSteps = steps[service] ?? [step("DONE")]
    const index = Math.min(requested.filter((name) => name === service).length, remainingSteps.length - 1)
    requested.push(service)
    response.end(JSON.stringify({ services: [{ service, ...remainingSteps[index] }] }))
  }
  return { requested, answer }
}

const run = (url: string, ...parameters: ReadonlyArray<string>) => runAt(url, ["reconcile", ...parameters])

it.live("compares each service completely, shows progress on standard error, and prints each difference once", () =>
  Effect.gen(function* () {
    const { answer, requested } = gatewayOf({
      payments: [step("MORE", ["pi_1"]), step("DONE", ["pi_1", "pi_2"])]
    })
    const { url } = yield* serveListener(answer)
    const { isSuccess, out, err } = yield* run(url, "--json")
    assert.isTrue(isSuccess)
    assert.deepStrictEqual(requested, ["cases", "payments", "payments", "scheduling"])
    const { data } = JSON.parse(out)
    assert.deepStrictEqual(data, [
      { service: "payments", ...difference("pi_1") },
      { service: "payments", ...difference("pi_2") }
    ])
    assert.include(err, "2 of 3, payments: 20 compared, 2 differed, DONE")
  }).pipe(Effect.scoped)
)

it.live("compares one service, and says which source could not be compared", () =>
  Effect.gen(function* () {
    const { answer, requested } = gatewayOf({ payments: [step("FAILED", ["pi_1"])] })
    const { url } = yield* serveListener(answer)
    const { isSuccess, out, err } = yield* run(url, "--service", "payments")
    assert.isFalse(isSuccess)
    assert.deepStrictEqual(requested, ["payments"])
    assert.include(out, "pi_1")
    assert.isTrue(err.some((line) => line.includes("payments stripe-money")))
  }).pipe(Effect.scoped)
)

it.live("goes on while a source has more, though another one cannot be compared", () =>
  Effect.gen(function* () {
    const beside = (state: string) => ({ name: "open-payments", state, compared: 5 })
    const failing = (state: string) => {
      const failed = step("FAILED", ["pi_1"])
      return { ...failed, sources: [...failed.sources, beside(state)] }
    }
    const { answer, requested } = gatewayOf({ payments: [failing("MORE"), failing("MORE"), failing("DONE")] })
    const { url } = yield* serveListener(answer)
    const { isSuccess, err } = yield* run(url, "--service", "payments")
    assert.isFalse(isSuccess)
    assert.lengthOf(requested, 3)
    assert.isTrue(err.some((line) => line.includes("payments stripe-money")))
    assert.isFalse(err.some((line) => line.includes("payments open-payments")))
  }).pipe(Effect.scoped)
)

it.effect("waits while another sweep is under way", () =>
  Effect.gen(function* () {
    const { answer, requested } = gatewayOf({ cases: [step("BUSY"), step("DONE")] })
    const { url } = yield* serveListener(answer)
    const running = yield* Effect.forkChild(run(url, "--service", "cases"))
    yield* until(
      Effect.andThen(
        TestClock.adjust("3 seconds"),
        Effect.sync(() => requested.length)
      ),
      (length) => length === 2
    )
    const { isSuccess } = yield* Fiber.join(running)
    assert.isTrue(isSuccess)
  }).pipe(Effect.scoped)
)
