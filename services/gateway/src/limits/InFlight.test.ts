import { layerTestConfig } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Cells } from "../cells/index.ts"
import { layerTestSettings } from "../testing/layerTestSettings.ts"
import { InFlight } from "./InFlight.ts"

const urls = Object.fromEntries(
  ["auth", "cases", "payments", "scheduling"].map((name) => [name, `http://${name}.c2.example`])
)
const settings = layerTestSettings({ CELLS: JSON.stringify({ c2: { ...urls, internalSecret: "secret-of-c2" } }) })

const layerInFlight = InFlight.layer.pipe(Layer.provideMerge(Cells.layer), Layer.provide([settings, layerTestConfig()]))

layer(layerInFlight)("InFlight", (it) => {
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

  it.effect("however many requests of a cell wait, another cell has all its slots, and room to wait", () =>
    Effect.gen(function* () {
      const inFlight = yield* InFlight
      const { all, find } = yield* Cells
      const enter = (area: "gateway" | "links" | "cases", cell: string, name: string) =>
        Effect.forkScoped(inFlight.enter(area, { name, isVerified: true, cell: find(cell) ?? assert.fail(cell) }), {
          startImmediately: true
        })
      assert.lengthOf(all, 2)
      for (const area of ["gateway", "links", "cases"] as const) {
        for (const organization of Array(40).keys()) {
          for (const _ of Array(80)) yield* enter(area, "c1", `hanging ${organization}`)
        }
        const burst = yield* Effect.forEach(Array(80).keys(), () => enter(area, "c2", "bystander"))
        assert.strictEqual(burst.filter((fiber) => fiber.pollUnsafe()?._tag === "Success").length, 64)
        assert.strictEqual(burst.filter((fiber) => fiber.pollUnsafe() === undefined).length, 16)
      }
    }).pipe(Effect.scoped)
  )
})
