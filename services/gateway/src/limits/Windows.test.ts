import { assert, describe, it } from "@effect/vitest"
import { Windows } from "./Windows.ts"

describe("Windows", () => {
  it("drops the windows of callers who do not return, however many they were", () => {
    const windows = new Windows(60_000)
    for (let caller = 0; caller < 10_000; caller += 1) windows.at(`caller ${caller}`, caller)
    assert.strictEqual(windows.size, 10_000)
    windows.at("somebody", 60_000 + 4_999)
    assert.strictEqual(windows.size, 5_001)
    windows.at("somebody else", 200_000)
    assert.strictEqual(windows.size, 1)
  })

  it("begins a new window when the clock was set back, and does not wait for the end of the old window", () => {
    const windows = new Windows(60_000)
    windows.at("caller", 10_000_000).used = 7
    assert.strictEqual(windows.at("caller", 10_000_000).used, 7)
    assert.strictEqual(windows.at("caller", 1_000_000).used, 0)
  })
})
