import { FairShare } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { ReceivedBytes } from "./ReceivedBytes.ts"

it("a body in pieces of one byte takes at most twice the room of its bytes, and gives it all back", () => {
  const memory = new FairShare({ capacity: 1_000_000 })
  const received = new ReceivedBytes(memory, "one")
  const text = "0123456789".repeat(10_000)
  assert.isTrue([...text].every((character) => received.add(Buffer.from(character))))
  assert.strictEqual(received.bytes.toString(), text)
  // A holder may take everything that is free. This succeeds only if the body takes at most twice its length.
  const remaining = 1_000_000 - 4 * text.length
  assert.isTrue(memory.take("one", remaining))
  memory.give("one", remaining)
  received.release()
  assert.isTrue(memory.take("one", 1_000_000))
})

it("returns false when there is no room for another piece, and keeps what it has", () => {
  const received = new ReceivedBytes(new FairShare({ capacity: 1000 }), "one")
  assert.isTrue(received.add(Buffer.alloc(400, "a")))
  assert.isFalse(received.add(Buffer.alloc(400, "b")))
  assert.strictEqual(received.bytes.toString(), "a".repeat(400))
})
