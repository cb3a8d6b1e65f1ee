import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeDataDirectory } from "./dataDirectory.ts"

it.effect("makes the data directory with its parents, and takes an existing one", () =>
  Effect.gen(function* () {
    const directory = join(yield* temporaryFolder(), "a", "b", "c")
    yield* makeDataDirectory(directory)
    yield* makeDataDirectory(directory)
    assert.isTrue(existsSync(directory))
  }).pipe(Effect.scoped)
)

it.effect("says in a sentence that it cannot be made, and does not try forever", () =>
  Effect.gen(function* () {
    const file = join(yield* temporaryFolder(), "file")
    writeFileSync(file, "")
    // Not even root can create folders in /proc and /sys.
    for (const directory of [file, join(file, "data"), join(file, "a", "b"), "/proc/care/data", "/sys/care/data"]) {
      const { message } = yield* Effect.flip(makeDataDirectory(directory))
      assert.include(message, `The data directory ${directory} cannot be used (E`)
      assert.match(message, /: set CARE_DATA_DIR to a folder that can be written to\.$/)
    }
  }).pipe(Effect.scoped)
)
