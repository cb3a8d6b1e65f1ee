import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { createServer } from "node:net"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { findFreeBase, offsets } from "@care/sandbox"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFolder } from "./harness/Suite.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  readonly exit: Promise<number | null>
}

const start = (environment: Readonly<Record<string, string>>): Started => {
  const child = spawn(process.execPath, ["packages/sandbox/src/start/main.ts"], {
    cwd: root,
    env: { PATH: process.env["PATH"], ...environment }
  })
  let text = ""
  child.stdout.on("data", (part) => (text += part))
  child.stderr.on("data", (part) => (text += part))
  return { child, output: () => text, exit: new Promise((resolve) => child.on("exit", resolve)) }
}

const untilReady = ({ exit, output }: Started) =>
  Effect.promise(async () => {
    while (!output().includes("Ctrl-C stops everything")) {
      const ended = await Promise.race([exit.then(() => true), new Promise((resolve) => setTimeout(resolve, 50))])
      if (ended === true) throw new Error(output())
    }
  })

const pasted = (output: string) =>
  output
    .split("\n")
    .filter((line) => line.startsWith("curl "))
    .map((line) => execFileSync("bash", ["-c", line], { encoding: "utf8" }))

it.live(
  "starts, prints calls that work when pasted, stops when told leaving no process, and finds everything again",
  () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const port = yield* findFreeBase(Object.values(offsets))
      const environment = { PORT: String(port), CARE_DATA_DIR: dataDirectory }

      const first = start(environment)
      yield* untilReady(first)
      const [created = "", read = ""] = pasted(first.output())
      const { caseId } = JSON.parse(created).data
      assert.strictEqual(JSON.parse(read).caseDetail.id, caseId)

      const asked = performance.now()
      first.child.kill("SIGINT")
      assert.strictEqual(yield* Effect.promise(() => first.exit), 0)
      // 5 s on a machine of its own; here other tests share the processors.
      assert.isBelow(performance.now() - asked, 15_000)
      for (const offset of Object.values(offsets)) {
        const refused = yield* Effect.promise(() => fetch(`http://127.0.0.1:${port + offset}`).catch(() => "refused"))
        assert.strictEqual(refused, "refused")
      }

      const second = start(environment)
      yield* untilReady(second)
      const [, again = ""] = pasted(first.output())
      assert.strictEqual(JSON.parse(again).status, 200)
      second.child.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => second.exit), 0)
    }).pipe(Effect.scoped),
  120_000
)

it.live("says in one sentence what keeps it from starting, and exits with 1", () =>
  Effect.gen(function* () {
    const dataDirectory = yield* temporaryFolder
    const port = yield* findFreeBase(Object.values(offsets))
    const environment = { PORT: String(port), CARE_DATA_DIR: dataDirectory }
    const fails = Effect.fnUntraced(function* (changes: Readonly<Record<string, string>>, sentence: RegExp) {
      const started = start({ ...environment, ...changes })
      assert.strictEqual(yield* Effect.promise(() => started.exit), 1)
      assert.match(started.output(), sentence)
      assert.notMatch(started.output(), /^\s+at /m)
    })
    yield* fails({ NODE_ENV: "production" }, /ADMIN_TOKEN is missing/)
    yield* fails({ DATABASE_URL: "postgresql://a:b@127.0.0.1:1/c" }, /127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/)
    yield* fails({ DATABASE_URL: "nonsense" }, /no URL cannot be used: .*Check DATABASE_URL/)
    yield* fails({ PORT: "many" }, /The configuration is wrong: .*PORT/)

    const listener = createServer()
    yield* Effect.promise(() => new Promise<void>((resolve) => listener.listen(port + 2, resolve)))
    yield* fails({}, new RegExp(`Port ${port + 2} is taken`))
    listener.close()
  }).pipe(Effect.scoped)
)
