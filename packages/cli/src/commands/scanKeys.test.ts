import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeApiKey } from "@care/service-kit"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../../test/runAt.ts"

it.live("care key scan names where keys are, without the keys, and fails; without one it does not", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const key = makeApiKey("c1")
    const [leaky, clean] = [join(folder, "leaky.env"), join(folder, "clean.env")]
    writeFileSync(leaky, `A=1\nKEY=${key}\n`)
    writeFileSync(clean, `A=1\nKEY=${key.slice(0, -1)}\n`)
    const scan = (...files: ReadonlyArray<string>) => runAt("http://localhost:9", ["key", "scan", ...files])
    const found = yield* scan(clean, leaky)
    assert.strictEqual(found.exitCode, 1)
    assert.include(found.out, leaky)
    assert.match(found.out, /\b2\b.*cv_live_c1_.{8}\.\.\./)
    assert.include(found.err.join("\n"), "1 API key was found.")
    assert.notInclude(`${found.out}${found.err.join()}`, key)
    const none = yield* scan(clean)
    assert.deepStrictEqual([none.exitCode, none.out], [0, "No API key was found."])
    assert.strictEqual((yield* scan(join(folder, "nothing"))).exitCode, 1)
  })
)
