import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { serveListener, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Fiber } from "effect"
import { AdminClient } from "./AdminClient.ts"
import { Screen } from "./output.ts"
import { writeWhole } from "./writeWhole.ts"

const piece = "x".repeat(100_000)

const users = {
  unknown: "00000000-0000-4000-8000-000000000000",
  whole: "00000000-0000-4000-8000-000000000001",
  broken: "00000000-0000-4000-8000-000000000002",
  endless: "00000000-0000-4000-8000-000000000003",
  large: "00000000-0000-4000-8000-000000000004"
}

/** A gateway whose answer is complete, broken off, refused or endless, by its path. */
const setUp = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  const { url } = yield* serveListener((request, response) => {
    const [, user] = /users\/([\w-]+)/.exec(request.url ?? "") ?? []
    if (user === users.unknown) {
      response.writeHead(404).end(JSON.stringify({ title: "Not found", detail: "Nobody has this id." }))
      return
    }
    response.writeHead(200, { "content-type": "application/json" })
    response.write(piece)
    if (user === users.whole) response.end("}")
    if (user === users.large) response.end(piece.repeat(35))
    if (user === users.broken) response.write(piece, () => response.destroy())
    if (user === users.endless) Deferred.doneUnsafe(started, Effect.void)
  })
  const withToken = Effect.provideService(
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnvRecord({ CARE_URL: url, ADMIN_TOKEN: "token" })
  )
  const client = yield* withToken(Effect.provide(AdminClient, AdminClient.layer))
  const folder = yield* temporaryFolder()
  const file = join(folder, "patient.json")
  const download = (how: keyof typeof users) =>
    withToken(writeWhole(file, client.open("patientExport.export", { params: { userId: users[how] } })))
  return { started, download, file, files: () => readdirSync(folder) }
})

it.live("a complete download is renamed to its final name, and only its owner can read it", () =>
  Effect.gen(function* () {
    const { download, file, files } = yield* setUp
    yield* download("whole")
    assert.deepStrictEqual(files(), ["patient.json"])
    assert.strictEqual(readFileSync(file, "utf8"), `${piece}}`)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
  }).pipe(Effect.scoped)
)

it.live("a large download shows on a terminal how much is written", () =>
  Effect.gen(function* () {
    const { download, file } = yield* setUp
    const drawn: Array<string> = []
    yield* Effect.provideService(download("large"), Screen, { redraw: (line) => void drawn.push(line) })
    assert.lengthOf(drawn, 3)
    for (const [index, line] of drawn.entries())
      assert.match(line, new RegExp(`patient\\.json: ${index + 1}\\.\\d MB$`))
    assert.strictEqual(statSync(file).size, 36 * piece.length)
  }).pipe(Effect.scoped)
)

it.live("a download that breaks off, is refused or is interrupted leaves no file", () =>
  Effect.gen(function* () {
    const { started, download, file, files } = yield* setUp
    assert.include(
      (yield* Effect.flip(download("broken"))).message,
      `${file} was not written completely and has been removed (`
    )
    assert.deepStrictEqual(files(), [])
    assert.strictEqual((yield* Effect.flip(download("unknown"))).message, "Not found: Nobody has this id.")
    assert.deepStrictEqual(files(), [])
    const endless = yield* Effect.forkChild(download("endless"))
    yield* Deferred.await(started)
    assert.deepStrictEqual(files(), ["patient.json.part"])
    yield* Fiber.interrupt(endless)
    assert.deepStrictEqual(files(), [])
  }).pipe(Effect.scoped)
)

it.live("no existing file is overwritten, complete or partial", () =>
  Effect.gen(function* () {
    const { download, file, files } = yield* setUp
    for (const path of [file, `${file}.part`]) {
      writeFileSync(path, "mine")
      assert.strictEqual(
        (yield* Effect.flip(download("whole"))).message,
        `${path} already exists: remove it, or choose another file.`
      )
      assert.strictEqual(readFileSync(path, "utf8"), "mine")
      assert.lengthOf(files(), 1)
      rmSync(path)
    }
  }).pipe(Effect.scoped)
)
