import { assert, it } from "@effect/vitest"
import { FairShare } from "./FairShare.ts"

const takeAll = (share: FairShare, holder: string): number => {
  let taken = 0
  while (share.take(holder)) taken += 1
  return taken
}

it("gives a holder at most half of the free capacity, so that the other half is left for the next holder", () => {
  const share = new FairShare({ capacity: 120 })
  assert.strictEqual(takeAll(share, "one"), 60)
  assert.strictEqual(takeAll(share, "two"), 30)
  assert.strictEqual(takeAll(share, "three"), 15)
  assert.isTrue(share.take("four"))
})

it("gives no holder more than the limit, even if more is free", () => {
  const share = new FairShare({ capacity: 120, limit: 8 })
  assert.deepStrictEqual([takeAll(share, "one"), takeAll(share, "two")], [8, 8])
})

it("a part is shared like the whole, and never more of it than is free in the whole", () => {
  const whole = new FairShare({ capacity: 120 })
  const part = new FairShare({ capacity: 60, within: whole })
  assert.deepStrictEqual([takeAll(part, "one"), takeAll(part, "two")], [30, 15])
  assert.strictEqual(takeAll(whole, "three"), 38)
  assert.strictEqual(takeAll(part, "four"), 8)
  part.give("one", 30)
  assert.strictEqual(takeAll(part, "one"), 19)
})

it("returned capacity can be taken again, by any holder", () => {
  const share = new FairShare({ capacity: 10 })
  assert.isTrue(share.take("one", 5))
  assert.isFalse(share.take("two", 6))
  share.give("one", 5)
  assert.strictEqual(takeAll(share, "two"), 5)
})
