import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { layerTestSettings } from "../testing/layerTestSettings.ts"
import { InFlight } from "./InFlight.ts"

layer(InFlight.layer.pipe(Layer.provide(layerTestSettings())))("InFlight", (it) => {
  it.effect("however many unverified requests wait, a verified caller's burst of 80 has room to wait", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const enter = (area: "receiving" | "cases", name: string, isVerified: boolean) =>
        Effect.forkScoped(inFlight.enter(area, { name, isVerified }), { startImmediately: true })
      for (const address of Array(8).keys()) {
        for (const _ of Array(320)) yield* enter("receiving", `address ${address}`, false)
      }
      const burst = yield* Effect.forEach(Array(80).keys(), () => enter("cases", "bystander", true))
      assert.strictEqual(burst.filter((fiber) => fiber.pollUnsafe()?._tag === "Success").length, 64)
      assert.strictEqual(burst.filter((fiber) => fiber.pollUnsafe() === undefined).length, 16)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(burst.filter((fiber) => fiber.pollUnsafe()?._tag === "Failure").length, 16)
    }).pipe(Effect.scoped)
  )
})
