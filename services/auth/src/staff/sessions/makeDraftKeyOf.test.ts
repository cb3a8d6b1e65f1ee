import { UserId } from "@care/domain/ids"
import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { makeDraftKeyOf } from "./makeDraftKeyOf.ts"

const [one, other] = [
  UserId.make("3b241101-e2bb-4255-8caf-4136c566a901"),
  UserId.make("3b241101-e2bb-4255-8caf-4136c566a902")
]
const secret = (letter: string) => Redacted.make(letter.repeat(32))

it("the key of drafts is 32 bytes, of each person another, and follows from the first secret alone", () => {
  const keyOf = makeDraftKeyOf([secret("a")])
  assert.lengthOf(Buffer.from(keyOf(one), "base64url"), 32)
  assert.strictEqual(keyOf(one), Buffer.from(keyOf(one), "base64url").toString("base64url"))
  assert.notStrictEqual(keyOf(one), keyOf(other))
  assert.strictEqual(makeDraftKeyOf([secret("a"), secret("b")])(one), keyOf(one))
  assert.notStrictEqual(makeDraftKeyOf([secret("b"), secret("a")])(one), keyOf(one))
})
