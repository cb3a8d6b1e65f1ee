import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { openLedger, StandInLedger } from "./StandInLedger.ts"

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

it.effect("what a write without room left of a line is cut off before the next one", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "ledger.journal")
    const open = () => new StandInLedger<{ thing: string }>({ thing: new Map() }, file)
    const ledger = open()
    ledger.transact(() => ledger.put("thing", "a", "é"))
    appendFileSync(file, '[["thing","b"')
    ledger.transact(() => ledger.put("thing", "c", "later"))
    assert.deepStrictEqual(open().all("thing"), ["later", "é"])
  }).pipe(Effect.scoped)
)

it.effect("a file that was replaced or removed meanwhile is written again", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "ledger.journal")
    const open = () => new StandInLedger<{ thing: string }>({ thing: new Map() }, file)
    const ledger = open()
    ledger.transact(() => {
      for (const id of ["a", "b", "c"]) ledger.put("thing", id, id)
    })
    open()
    ledger.transact(() => ledger.put("thing", "d", "d"))
    assert.deepStrictEqual(open().all("thing"), ["d", "c", "b", "a"])
    rmSync(file)
    ledger.transact(() => ledger.put("thing", "e", "e"))
    assert.deepStrictEqual(open().all("thing"), ["e", "d", "c", "b", "a"])
  }).pipe(Effect.scoped)
)

it.effect("a file has what the ledger holds, not all that it ever held", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "ledger.journal")
    const open = () => new StandInLedger<{ thing: string }>({ thing: new Map() }, file)
    const ledger = open()
    const text = "x".repeat(3_000_000)
    for (let change = 0; change < 20; change += 1) {
      ledger.transact(() => ledger.put("thing", "a", `${change} ${text}`))
      assert.isBelow(statSync(file).size, 30_000_000)
    }
    ledger.transact(() => ledger.put("thing", "b", "last"))
    assert.deepStrictEqual(open().all("thing"), ["last", `19 ${text}`])
  }).pipe(Effect.scoped)
)

it.effect("says which line of its file is broken, and that a file cannot be used", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const messageOf = (file: string) =>
      openLedger(file, (kept) => new StandInLedger<{ thing: string }>({ thing: new Map() }, kept)).pipe(
        Effect.flip,
        Effect.map(({ message }) => message)
      )
    const file = join(folder, "ledger.journal")
    const whole = '[["thing","a","1"]]\n'
    for (const broken of ['[["thing","b"[["thing","c","2"]]', "{}", '[["other","a","1"]]', ""]) {
      const content = `${whole}${broken}\n${whole}`
      writeFileSync(file, content)
      assert.strictEqual(
        yield* messageOf(file),
        `${file} is broken in line 2. Restore the file, or move it away: then the stand-in knows nothing.`
      )
      assert.strictEqual(readFileSync(file, "utf8"), content)
    }
    const other = join(folder, "folder.journal")
    mkdirSync(other)
    assert.match(yield* messageOf(other), /^\/.*folder\.journal cannot be used: EISDIR.*\.$/)
  }).pipe(Effect.scoped)
)
