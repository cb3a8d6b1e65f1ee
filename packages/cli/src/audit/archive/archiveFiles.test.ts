import { randomUUID } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import {
  type ArchiveFile,
  headOf,
  linesIn,
  makeArchiveFolder,
  namesIn,
  pathOf,
  writeArchiveFile
} from "./archiveFiles.ts"

const records: ArchiveFile = { service: "cases", month: 202605, organizationId: randomUUID() }
const chains: ArchiveFile = { service: "cases", month: 202605 }

it.live("of commands that write the same records those of the first one stay; a list of chains is replaced later", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    for (const [file, expected] of [
      [records, "first"],
      [chains, "third"]
    ] as const) {
      const write = (line: string, before = Effect.void) =>
        writeArchiveFile(folder, file, Stream.fromEffect(Effect.as(before, line)))
      // The second command has begun before the first one ends.
      yield* write("second", Effect.orDie(write("first")))
      assert.deepStrictEqual([...linesIn(folder, file)], ["first"])
      yield* write("third")
      assert.deepStrictEqual([...linesIn(folder, file)], [expected])
    }
    const names = ["chains.audit", `${records.organizationId}.audit`].sort()
    assert.deepStrictEqual(readdirSync(join(folder, "2026-05", "cases")).sort(), names)
  }).pipe(Effect.scoped)
)

it.live("a file that was cut anywhere, or has another first line, is refused", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    yield* writeArchiveFile(folder, records, Stream.make("one", "two"))
    const path = join(folder, pathOf(records))
    const whole = readFileSync(path, "utf8")
    for (let size = 0; size < whole.length; size += 1) {
      writeFileSync(path, whole.slice(0, size))
      const isLineEnd = whole[size - 1] === "\n"
      if (isLineEnd) assert.isBelow([...linesIn(folder, records)].length, 2)
      else assert.throws(() => [...linesIn(folder, records)], "it ends in the middle of a line")
    }
    writeFileSync(path, whole.replace(headOf(records), headOf(chains)))
    assert.throws(() => [...linesIn(folder, records)], "its first line was changed")
  }).pipe(Effect.scoped)
)

it.live("a file, or what is below one, is no folder of archives, and neither is an empty text", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const file = join(folder, "file")
    writeFileSync(file, "")
    for (const wrong of [file, join(file, "below"), ""]) {
      const { message } = yield* Effect.flip(makeArchiveFolder(wrong))
      assert.match(message, /cannot be the folder of archives \(E.*\): name another one with --to\.$/)
    }
    for (const wrong of [file, join(file, "below")]) assert.deepStrictEqual(namesIn(wrong), [])
    const below = join(folder, "new", "archive")
    yield* makeArchiveFolder(below)
    yield* makeArchiveFolder(below)
    mkdirSync(join(below, "2026-05"))
    assert.deepStrictEqual(namesIn(below), ["2026-05"])
  }).pipe(Effect.scoped)
)
