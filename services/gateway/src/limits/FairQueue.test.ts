import { FairShare } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { FairQueue, type QueueSlots, type Waiter } from "./FairQueue.ts"

/** Makes a queue, and a list of the holders in the order in which they got a slot. */
const makeQueue = (share: FairShare) => {
  const slots: QueueSlots = { share, room: new FairShare({ capacity: 100 }) }
  const queue = new FairQueue()
  const served: Array<string> = []
  const wait = (holder: string, name = holder): Waiter => {
    const waiter = queue.wait(slots, holder) ?? assert.fail("no room")
    waiter.onSlot = () => served.push(name)
    return waiter
  }
  return { queue, slots, served, wait }
}

it("requests of a holder get their slots in the order of their arrival, and no later request overtakes them", () => {
  const { served, queue, slots, wait } = makeQueue(new FairShare({ capacity: 10, limit: 1 }))
  assert.isTrue(queue.take(slots, "one"))
  const waiters = ["first", "second", "third"].map((name) => wait("one", name))
  queue.give(slots, "one")
  assert.deepStrictEqual(served, ["first"])
  assert.isFalse(queue.take(slots, "one"))
  for (const waiter of waiters) queue.leave(waiter)
  assert.deepStrictEqual(served, ["first", "second", "third"])
  assert.isTrue(queue.take(slots, "one"))
})

it("slots go round between the holders who wait, however many requests one has", () => {
  const { served, queue, slots, wait } = makeQueue(new FairShare({ capacity: 6, limit: 3 }))
  for (const holder of ["filler", "other filler", "last filler"]) while (queue.take(slots, holder));
  const waiters = ["one", "one", "one", "one", "two", "two", "three"].map((holder) => wait(holder))
  queue.give(slots, "filler")
  queue.give(slots, "filler")
  queue.give(slots, "filler")
  queue.give(slots, "other filler")
  assert.deepStrictEqual(served.slice(0, 3).sort(), ["one", "three", "two"])
  for (const waiter of waiters) queue.leave(waiter)
})

it("a caller who leaves before their turn gets no slot, and one who leaves after it returns theirs", () => {
  const { served, queue, slots, wait } = makeQueue(new FairShare({ capacity: 10, limit: 1 }))
  assert.isTrue(queue.take(slots, "one"))
  const [gone, next, last] = [wait("one", "gone"), wait("one", "next"), wait("one", "last")]
  queue.leave(gone)
  queue.leave(gone)
  queue.give(slots, "one")
  assert.deepStrictEqual(served, ["next"])
  queue.leave(next)
  queue.leave(next)
  assert.deepStrictEqual(served, ["next", "last"])
  queue.leave(last)
  assert.isTrue(queue.take(slots, "one"))
})

it("no more requests wait than there is room for, of one holder and of all holders", () => {
  const slots = { share: new FairShare({ capacity: 1 }), room: new FairShare({ capacity: 10, limit: 4 }) }
  const queue = new FairQueue()
  const admitted = (holder: string) => Array.from(Array(10), () => queue.wait(slots, holder)).filter(Boolean).length
  assert.deepStrictEqual([admitted("one"), admitted("two"), admitted("three")], [4, 3, 2])
})

it("arrivals, waits, departures and ends in any order leave every slot and all room free", () => {
  const steps = fc.array(fc.record({ holder: fc.constantFrom("one", "two", "three"), isEnd: fc.boolean() }), {
    maxLength: 200
  })
  fc.assert(
    fc.property(steps, fc.infiniteStream(fc.nat(1000)), (steps, picks) => {
      const share = new FairShare({ capacity: 8, limit: 3 })
      const room = new FairShare({ capacity: 12, limit: 6 })
      const slots = { share, room }
      const queue = new FairQueue()
      const ends: Array<() => void> = []
      for (const { holder, isEnd } of steps) {
        if (isEnd && ends.length > 0) {
          ends.splice((picks.next().value ?? 0) % ends.length, 1)[0]?.()
        } else if (queue.take(slots, holder)) {
          ends.push(() => queue.give(slots, holder))
        } else {
          const waiter = queue.wait(slots, holder)
          if (waiter !== undefined) ends.push(() => queue.leave(waiter))
        }
      }
      for (const end of ends) end()
      assert.isTrue(share.take("all", 3) && share.take("rest", 2) && room.take("all", 6))
      share.give("all", 3)
      share.give("rest", 2)
      const slotsInUse = ["a", "b", "c"].map((holder) => {
        let inUse = 0
        while (queue.take(slots, holder)) inUse += 1
        return inUse
      })
      assert.deepStrictEqual(slotsInUse, [3, 3, 1])
    })
  )
})
