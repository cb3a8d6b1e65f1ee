import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { programIn, showSources } from "@care/build"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { builtPrograms } from "./harness/builtPrograms.ts"
import { call } from "./harness/call.ts"
import { dynamicBody, makeClinic } from "./harness/fixtures.ts"
import { endProcess } from "./harness/killService.ts"
import { startProcesses } from "./harness/layerProcesses.ts"
import { processNames, Suite } from "./harness/Suite.ts"
import { until } from "./harness/until.ts"

/** Returns the position of a text in a program in the format of a stack trace. */
const placeOf = (folder: string, name: string, text: string): string => {
  const lines = readFileSync(programIn(folder, name), "utf8").split("\n")
  const line = lines.findIndex((text_) => text_.includes(text))
  return `at open (file:///app/${name}.mjs:${line + 1}:${(lines[line] ?? "").indexOf(text) + 1})`
}

it.live(
  "the programs that production runs need nothing but their folder: a case is created and read, and each process ends when it is told",
  () =>
    Effect.gen(function* () {
      const { url } = yield* makeEmptyDatabase
      const started = yield* startProcesses(url, yield* temporaryFolder())
      yield* Effect.gen(function* () {
        const clinic = yield* makeClinic
        // The native module hashes the password.
        const body = { ...dynamicBody(), password: "a password of theirs" }
        const created = yield* call("POST", "/api/v1/dynamic-case", { key: clinic.key, body })
        assert.strictEqual(created.status, 200)
        const { caseId } = created.json.data
        const read = yield* call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
        assert.deepStrictEqual([read.status, read.json.caseDetail.id], [200, caseId])

        const { output, urls } = yield* Suite
        const textAt = (path: string) => Effect.promise(async () => (await fetch(`${urls.gateway}${path}`)).text())
        assert.include(yield* textAt("/openapi.json"), "Verify the signature")
        for (const name of processNames) yield* endProcess(name)
        // The exit code after an orderly stop by a signal; 1 would mean that it was cut off.
        yield* until(
          Effect.sync(() =>
            processNames.every((name) => output.some((line) => line.startsWith(`${name} ended (exit code 130)`)))
          ),
          (all) => all
        )
      }).pipe(Effect.provideContext(started))
    }).pipe(Effect.scoped),
  120_000
)

it.live("the program of migrations is beside them: it prints what it would run, and runs it", () =>
  Effect.gen(function* () {
    const { url } = yield* makeEmptyDatabase
    const program = programIn(yield* builtPrograms, "migrate")
    const migrate = (...parameters: ReadonlyArray<string>) =>
      execFileSync(process.execPath, [program, "--service", "cases", ...parameters], {
        env: { MIGRATIONS_URL: url },
        encoding: "utf8"
      })
    assert.match(
      migrate("--dry-run"),
      /^-- The schema cases\nSET search_path = cases;[\s\S]*CREATE TABLE cases \([\s\S]*;\n$/
    )
    assert.strictEqual(migrate(), "The schema cases is up to date.\n")
    assert.strictEqual(migrate("--dry-run"), "-- The schema cases is up to date.\n")
  }).pipe(Effect.scoped)
)

it.live("the program of the stand-ins is beside them: without a setting it ends with a sentence that names it", () =>
  Effect.gen(function* () {
    const program = programIn(yield* builtPrograms, "stand-ins")
    const { status, stderr } = spawnSync(process.execPath, [program], {
      env: { PUBLIC_URL: "http://127.0.0.1:1", CARE_DATA_DIR: yield* temporaryFolder() },
      encoding: "utf8"
    })
    assert.strictEqual(status, 1)
    assert.include(stderr, "TEST_STRIPE_SECRET_KEY is missing")
  }).pipe(Effect.scoped)
)

it.live("places in the programs that production runs lead to the TypeScript that they were built of", () =>
  Effect.gen(function* () {
    const folder = yield* builtPrograms
    const position = placeOf(folder, "cases", "The port cannot be used")
    assert.match(showSources(folder, position), /^at open \(packages\/service-kit\/src\/http\/serveApp\.ts:\d+:\d+\)$/)
    assert.strictEqual(showSources(folder, "at a (other.mjs:1:1)"), "at a (other.mjs:1:1)")
  })
)
