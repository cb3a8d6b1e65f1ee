import { plainly } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { OutboxLine } from "../makeOutboxFile.ts"
import { makeAppend } from "./makeAppend.ts"

const maxPerOrganization = 3

/** Appends lines in parallel. Returns the written lines, the writes, and the result of each append. */
const appended = Effect.fnUntraced(function* (lines: ReadonlyArray<OutboxLine>) {
  const taken: Array<string> = []
  const writes: Array<ReadonlyArray<OutboxLine>> = []
  const append = makeAppend({
    takeRoom: ({ organizationId }) => {
      taken.push(organizationId)
      return taken.filter((id) => id === organizationId).length <= maxPerOrganization
    },
    keep: (some) => Effect.sync(() => void writes.push(some)),
    refuse: ({ organizationId }) => Effect.die(new Error(`${organizationId} has no room`))
  })
  const exits = yield* Effect.forEach(lines, (line) => Effect.exit(append(line)), { concurrency: "unbounded" })
  const kept = new Set(writes.flat().map(({ line }) => line))
  return { outcome: { kept: [...kept], exits: exits.map(String) }, writes: new Set(writes).size }
})

it("lines of one turn are one write, and are kept and refused as by a write for each", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("a", "b"), { maxLength: 12 }), async (organizationIds) => {
      const lines = organizationIds.map((organizationId, index) => ({ organizationId, line: `line ${index}` }))
      const fast = await Effect.runPromise(appended(lines))
      const plain = await Effect.runPromise(plainly("appending", appended(lines)))
      assert.deepStrictEqual(plain.outcome, fast.outcome)
      assert.strictEqual(fast.writes, Math.min(1, lines.length))
      assert.strictEqual(plain.writes, plain.outcome.kept.length)
    })
  ))
