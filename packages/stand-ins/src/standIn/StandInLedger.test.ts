import { statSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { StandInLedger } from "./StandInLedger.ts"

it.effect("a transaction that throws changes nothing, neither in memory nor in the file", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "ledger.journal")
    const open = () => new StandInLedger<{ thing: string }>({ thing: new Map() }, file)
    const ledger = open()
    ledger.transact(() => ledger.put("thing", "a", "as it was"))
    const change = () =>
      ledger.transact(() => {
        ledger.put("thing", "b", "new")
        ledger.put("thing", "a", "changed")
        ledger.remove("thing", "a")
        assert.deepStrictEqual(ledger.all("thing"), ["new"])
        throw new Error("broken off")
      })
    assert.throws(change, "broken off")
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    assert.deepStrictEqual(ledger.all("thing"), ["as it was"])
    ledger.transact(() => ledger.put("thing", "c", "later"))
    assert.deepStrictEqual(open().all("thing"), ["later", "as it was"])
  }).pipe(Effect.scoped)
)
