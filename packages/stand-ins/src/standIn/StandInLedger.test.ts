import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { StandInLedger } from "./StandInLedger.ts"

it.effect("what throws has changed nothing, neither in memory nor in the file", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "books.journal")
    const open = () => new StandInLedger<{ thing: string }>({ thing: new Map() }, file)
    const books = open()
    books.transact(() => books.put("thing", "a", "as it was"))
    const change = () =>
      books.transact(() => {
        books.put("thing", "b", "new")
        books.put("thing", "a", "changed")
        books.remove("thing", "a")
        assert.deepStrictEqual(books.all("thing"), ["new"])
        throw new Error("broken off")
      })
    assert.throws(change, "broken off")
    assert.deepStrictEqual(books.all("thing"), ["as it was"])
    books.transact(() => books.put("thing", "c", "later"))
    assert.deepStrictEqual(open().all("thing"), ["later", "as it was"])
  }).pipe(Effect.scoped)
)
