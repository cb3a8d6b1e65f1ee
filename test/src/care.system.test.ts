import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { jobsDone } from "./harness/database.ts"
import { failedPayment } from "./harness/failedPayment.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { Suite } from "./harness/Suite.ts"

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..")

interface Run {
  readonly code: number | null
  readonly out: string
  readonly error: string
}

layer(layerProcesses, { timeout: "60 seconds", excludeTestServices: true })("the care command line", (it) => {
  const care = (parameters: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
    Effect.flatMap(Suite, ({ gatewayUrl, settings }) =>
      Effect.callback<Run>((resume) => {
        const child = spawn(process.execPath, ["packages/cli/src/main.ts", ...parameters], {
          cwd: root,
          env: {
            PATH: process.env["PATH"],
            CARE_URL: gatewayUrl,
            CARE_DATA_DIR: settings.dataDirectory,
            ...environment
          }
        })
        let out = ""
        let error = ""
        child.stdout.on("data", (text) => (out += text))
        child.stderr.on("data", (text) => (error += text))
        child.on("exit", (code) => resume(Effect.succeed({ code, out, error })))
      })
    )

  const field = (out: string, name: string): string => new RegExp(`^${name}\\s+(\\S+)$`, "m").exec(out)?.[1] ?? ""

  it.effect("creates an organization and a key that works, with the token that the start command keeps", () =>
    Effect.gen(function* () {
      const { settings } = yield* Suite
      const created = yield* care(["org", "create", "Acme Clinic"])
      assert.deepStrictEqual([created.code, created.error], [0, ""])
      const organizationId = field(created.out, "id")
      assert.include(created.out, `Next: pnpm care key issue ${organizationId}`)

      const issued = yield* care(["key", "issue", organizationId, "--label", "shop"])
      const key = field(issued.out, "key")
      const product = yield* care(["product", "create", organizationId, "Program", "--price", "299.00"])
      const clinic = { organizationId, key, keyId: field(issued.out, "id"), productId: field(product.out, "id") }
      const made = yield* createCase(clinic, caseBody(clinic))
      assert.strictEqual(made.status, 200)
      const shown = yield* care(["case", "show", made.json.data.caseId])
      assert.strictEqual(JSON.parse(shown.out).organizationId, organizationId)

      const form = join(settings.dataDirectory, "form.json")
      writeFileSync(form, JSON.stringify({ title: "F", questions: [{ question: "Q", type: "TEXT", required: true }] }))
      assert.strictEqual((yield* care(["form", "create", organizationId, form])).code, 0)
      assert.include((yield* care(["org", "list"])).out, organizationId)
      assert.include((yield* care(["key", "list", organizationId])).out, key.slice(0, 11))
      assert.strictEqual((yield* care(["key", "revoke", clinic.keyId])).code, 0)
    })
  )

  it.effect("lists the jobs that failed, a line each, and repeats one", () =>
    Effect.gen(function* () {
      const { job, mend } = yield* failedPayment(yield* makeClinic)
      const listed = yield* care(["job", "list", "--state", "failed", "--queue", "payment-recording"])
      assert.deepStrictEqual([listed.code, listed.error], [0, ""])
      assert.match(listed.out, /^id +service +queue +state +attempts +createdAt +lastFailure\n/)
      assert.match(
        listed.out,
        new RegExp(`^${job.id}  cases +payment-recording +failed .*Its payload has version 7`, "m")
      )
      yield* mend
      const retried = yield* care(["job", "retry", job.id])
      assert.deepStrictEqual([retried.code, field(retried.out, "id")], [0, job.id])
      yield* jobsDone("cases", "payment-recording")
      const again = yield* care(["job", "retry", job.id])
      assert.deepStrictEqual([again.code, again.out], [1, ""])
      assert.match(
        again.error,
        /^The job did not fail: The job \S+ is completed; only one that failed is repeated\.\n$/
      )
    })
  )

  it.effect("says in one line what went wrong, and exits with 1", () =>
    Effect.gen(function* () {
      const clinic = yield* makeClinic
      const unreadable = join((yield* Suite).settings.dataDirectory, "unreadable")
      mkdirSync(join(unreadable, "secrets.json"), { recursive: true })
      const failures: ReadonlyArray<readonly [RegExp, Run]> = [
        [/^Organization not found: .*\n$/, yield* care(["org", "show", "3b241101-e2bb-4255-8caf-4136c566a962"])],
        [/^Invalid request: organizationId, must be a valid UUID\n$/, yield* care(["org", "show", "7"])],
        [/^Unauthorized: .*\n$/, yield* care(["org", "list"], { ADMIN_TOKEN: "wrong" })],
        [/^No gateway answers at .*\n$/, yield* care(["org", "list"], { CARE_URL: "http://127.0.0.1:1" })],
        [/^CARE_URL has to be a URL such as .*\n$/, yield* care(["org", "list"], { CARE_URL: "nonsense" })],
        [/^PORT has to be a port from 1 to 65535, .*\n$/, yield* care(["org", "list"], { PORT: "abc" })],
        [
          /^\S+secrets\.json cannot be read: set ADMIN_TOKEN .*\n$/,
          yield* care(["org", "list"], { CARE_DATA_DIR: unreadable })
        ],
        [/^ADMIN_TOKEN is missing: .*\n$/, yield* care(["org", "list"], { CARE_DATA_DIR: "/nowhere" })],
        [/^The file .* cannot be read\.\n$/, yield* care(["form", "create", clinic.organizationId, "/nowhere.json"])]
      ]
      for (const [pattern, run] of failures) {
        assert.strictEqual(run.code, 1)
        assert.match(run.error, pattern)
      }
    })
  )

  it.effect("explains every command", () =>
    Effect.gen(function* () {
      for (const command of [
        [],
        ["org"],
        ["org", "create"],
        ["key", "issue"],
        ["member", "add"],
        ["case", "show"],
        ["job", "list"]
      ]) {
        const help = yield* care([...command, "--help"])
        assert.strictEqual(help.code, 0)
        assert.match(help.out, /DESCRIPTION[\s\S]+USAGE/)
      }
    })
  )
})
