import { assert, it } from "@effect/vitest"
import { String as Text } from "effect"
import * as fc from "fast-check"
import { cachedNames } from "./cachedNames.ts"
import { switchOff } from "./pieces.ts"

it("names are converted as without a cache, also the second time, and with the cache off", () => {
  for (const convert of [Text.camelToSnake, Text.snakeToCamel]) {
    const cached = cachedNames(convert)
    fc.assert(
      fc.property(fc.string(), (name) => {
        for (const off of [[], [], ["naming"]] as const) {
          switchOff(off)
          assert.strictEqual(cached(name), convert(name))
        }
        switchOff([])
      })
    )
  }
})
