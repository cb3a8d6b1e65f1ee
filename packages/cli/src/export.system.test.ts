import { spawn } from "node:child_process"
import { readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { serveListener, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const main = join(dirname(fileURLToPath(import.meta.url)), "main.ts")
const user = "3b241101-e2bb-4255-8caf-4136c566a962"

/** Runs `care patient export` as a process after a command of the shell, and returns its output and exit code. */
const exportTo = (file: string, url: string, limit: string) =>
  Effect.callback<{ readonly err: string; readonly code: number | null }>((resume) => {
    const command = [
      "-c",
      `${limit}; exec "$0" "$@"`,
      process.execPath,
      main,
      "patient",
      "export",
      user,
      "--output",
      file
    ]
    const child = spawn("sh", command, {
      env: { PATH: process.env["PATH"], CARE_URL: url, ADMIN_TOKEN: "token" },
      stdio: ["ignore", "ignore", "pipe"]
    })
    let err = ""
    child.stderr.setEncoding("utf8").on("data", (part: string) => (err += part))
    child.once("close", (code) => resume(Effect.succeed({ err, code })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

it.live("an export without disk space reports it, leaves no file and exits with 1; otherwise it exits with 0", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener((_, response) => {
      response.end(`{${"x".repeat(2_000_000)}}`)
    })
    const folder = yield* temporaryFolder()
    const file = join(folder, "patient.json")
    const refused = yield* exportTo(file, url, "ulimit -f 100")
    assert.strictEqual(refused.code, 1)
    assert.match(
      refused.err,
      /^\S+patient\.json was not written completely and has been removed \(.*too large.*\): try again\.\n$/m
    )
    assert.deepStrictEqual(readdirSync(folder), [])
    const written = yield* exportTo(file, url, ":")
    assert.strictEqual(written.code, 0)
    assert.match(written.err, /^\S+patient\.json: 1\.\d MB\n$/)
    assert.deepStrictEqual(readdirSync(folder), ["patient.json"])
  }).pipe(Effect.scoped)
)
