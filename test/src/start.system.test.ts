import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { findFreeBase, forEveryService, offsets, provision, readSecrets } from "@care/sandbox"
import { migrate } from "@care/service-kit"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly exit: Promise<number | null>
}

const start = (environment: Readonly<Record<string, string>>): Started => {
  const child = spawn(process.execPath, ["packages/sandbox/src/start/main.ts"], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment }
  })
  let text = ""
  child.stdout.on("data", (part) => (text += part))
  child.stderr.on("data", (part) => (text += part))
  // At its "exit" there may be output that was not read yet.
  return { child, output: () => text, exit: new Promise((resolve) => child.on("close", resolve)) }
}

const untilReady = ({ exit, output }: Started) =>
  Effect.promise(async () => {
    while (!output().includes("Ctrl-C stops everything")) {
      const ended = await Promise.race([exit.then(() => true), new Promise((resolve) => setTimeout(resolve, 50))])
      if (ended === true) throw new Error(output())
    }
  })

// A database in which only auth has its tables.
const databaseOfOlderVersion = Effect.fnUntraced(function* (dataDirectory: string) {
  const { url } = yield* makeEmptyDatabase
  const { INTERNAL_SECRET } = yield* readSecrets(dataDirectory, false)
  const { urls } = yield* provision(forEveryService(url), INTERNAL_SECRET)
  const migrations = { "0004_create_organization_access": Effect.void }
  yield* migrate({ url: Redacted.make(urls.auth), schema: "auth", migrations })
  return url
})

const pasted = (output: string) =>
  output
    .split("\n")
    .filter((line) => line.startsWith("curl "))
    .map((line) => execFileSync("bash", ["-c", line], { encoding: "utf8" }))

it.live(
  "starts without the database of an older version, prints calls that work when pasted, stops when told leaving no process, and finds everything again",
  () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder()
      const port = yield* findFreeBase(Object.values(offsets))
      const environment = { PORT: String(port), CARE_DATA_DIR: dataDirectory }

      // A file that remains if the database of an older version was removed.
      yield* readSecrets(dataDirectory, false)
      const demoFile = join(dataDirectory, "demo.json")
      const oldDemo = JSON.stringify({
        organizationId: "3b241101-e2bb-4255-8caf-4136c566a962",
        apiKey: "of the older version",
        productIds: ["1"],
        bundleId: "1",
        providerId: "1"
      })
      writeFileSync(demoFile, oldDemo)

      const first = start(environment)
      yield* untilReady(first)
      const [created = "", read = ""] = pasted(first.output())
      const { caseId } = JSON.parse(created).data
      assert.strictEqual(JSON.parse(read).caseDetail.id, caseId)
      assert.notStrictEqual(readFileSync(demoFile, "utf8"), oldDemo)

      const stoppedAt = performance.now()
      first.child.kill("SIGINT")
      assert.strictEqual(yield* Effect.promise(() => first.exit), 0)
      // It takes 5 s alone; here other tests share the processors.
      assert.isBelow(performance.now() - stoppedAt, 15_000)
      for (const offset of Object.values(offsets)) {
        const refused = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port + offset}`).catch(() => "refused"))
        assert.strictEqual(refused, "refused")
      }

      const second = start(environment)
      yield* untilReady(second)
      const [, repeated = ""] = pasted(first.output())
      assert.strictEqual(JSON.parse(repeated).status, 200)
      second.child.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => second.exit), 0)
    }).pipe(Effect.scoped),
  120_000
)

it.live(
  "says in one sentence what keeps it from starting, and exits with 1",
  () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder()
      const port = yield* findFreeBase(Object.values(offsets))
      const environment = { PORT: String(port), CARE_DATA_DIR: dataDirectory }
      const older = yield* databaseOfOlderVersion(dataDirectory)
      const fails = Effect.fnUntraced(function* (changes: Readonly<Record<string, string>>, sentence: RegExp) {
        const started = start({ ...environment, ...changes })
        assert.strictEqual(yield* Effect.promise(() => started.exit), 1)
        // This is the only output, whether the start command, PostgreSQL or a service finds the error.
        const [firstLine, ...otherLines] = started
          .output()
          .replace(/^Starting .*\n/, "")
          .trim()
          .split("\n")
        assert.match(firstLine ?? "", sentence)
        assert.deepStrictEqual(otherLines, [])
      })
      yield* fails({ NODE_ENV: "production" }, /^ADMIN_TOKEN is missing/)
      yield* fails({ DATABASE_URL: "postgresql://a:b@127.0.0.1:1/c" }, /127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/)
      yield* fails({ CARE_DATA_DIR: "/proc/care" }, /^The data directory .* cannot be used .*: set CARE_DATA_DIR to /)
      yield* fails({ DATABASE_URL: older }, /^The schema auth was not made by this version .* Start the version that /)

      const listener = createServer()
      yield* Effect.promise(() => new Promise<void>((resolve) => listener.listen(port + 2, resolve)))
      yield* fails({}, new RegExp(`^Port ${port + 2} is taken`))
      listener.close()
    }).pipe(Effect.scoped),
  120_000
)
