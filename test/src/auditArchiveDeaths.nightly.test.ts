import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import { serveListener, temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { runAudit } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const main = join(import.meta.dirname, "../../packages/cli/src/main.ts")

const bodyOf = async (request: IncomingMessage) => Buffer.concat(await request.toArray())

testsOn(Suite.layer, "a command that archives a month", (it) => {
  it("loses nothing when it is killed before or after any of its requests, and goes on when it is repeated", function* () {
    yield* Effect.gen(function* () {
      const { secrets, urls } = yield* Suite
      const { advance, clock } = yield* SuiteTime
      const clinics = [yield* makeClinic, yield* makeClinic]
      for (const clinic of clinics) yield* createCase(clinic, caseBody(clinic))
      const linksOf = (organizationId: string) =>
        Effect.map(
          admin("GET", `/audit/links/cases/${organizationId}`),
          ({ json }): ReadonlyArray<{ readonly month: string }> => json.data
        )
      let month = ""
      for (const { organizationId } of clinics) {
        const [link] = yield* until(linksOf(organizationId), ({ length }) => length > 0)
        month = link?.month ?? ""
      }
      yield* advance("32 days")
      yield* call("GET", "/health/ready", {})

      // The gateway as the command sees it. It kills the command before or after the request with a number.
      let [requests, kill]: [number, () => void] = [0, () => {}]
      let deadly: { readonly number: number; readonly isBefore: boolean } | undefined
      const { url } = yield* serveListener(async (request, response) => {
        requests += 1
        const isDeadly = requests === deadly?.number
        if (isDeadly && deadly?.isBefore) return kill()
        const body = await bodyOf(request)
        const answer = await fetch(`${urls.gateway}${request.url}`, {
          method: request.method ?? "GET",
          headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "content-type": "application/json" },
          ...(body.length > 0 && { body })
        })
        const text = await answer.text()
        if (isDeadly) return kill()
        response.writeHead(answer.status, { "content-type": "application/json" }).end(text)
      })
      const folder = join(yield* temporaryFolder(), "archive")
      const archive = Effect.callback<{ readonly code: number | null; readonly errors: string }>((resume) => {
        const env = { PATH: process.env["PATH"], CARE_URL: url, ADMIN_TOKEN: secrets.ADMIN_TOKEN }
        const child = spawn(process.execPath, [main, "audit", "archive", month, "--to", folder], { env })
        let errors = ""
        kill = () => child.kill("SIGKILL")
        child.stderr.on("data", (part) => (errors += part))
        child.once("close", (code) => resume(Effect.succeed({ code, errors })))
        return Effect.sync(() => child.kill("SIGKILL"))
      })
      const run = (...flags: ReadonlyArray<string>) => Effect.provideService(runAudit(...flags), Clock.Clock, clock)

      let runs = 0
      for (let isDone = false; !isDone; runs += 1) {
        requests = 0
        deadly = { number: 1 + Math.floor(runs / 2), isBefore: runs % 2 === 0 }
        const { code, errors } = yield* archive
        isDone = code === 0
        if (!isDone) assert.isNull(code, errors)
        // The records of each chain are in the database, or in a file of their own.
        for (const { organizationId } of clinics) {
          const links = yield* linksOf(organizationId)
          const isStored = links.some((link) => link.month === month)
          assert.isTrue(isStored || existsSync(join(folder, month, "cases", `${organizationId}.audit`)))
        }
        const verified = yield* existsSync(join(folder, month, "scheduling", "chains.audit"))
          ? run("verify", "--archive", folder)
          : run("verify")
        assert.isTrue(verified.isGood, verified.out + verified.errors)
      }
      assert.isAbove(runs, 20)
      assert.isTrue((yield* run("verify", "--archive", folder, "--offline")).isGood)
      for (const { organizationId } of clinics) {
        assert.isFalse((yield* linksOf(organizationId)).some((link) => link.month === month))
      }
    }).pipe(Effect.scoped)
  }, 180_000)
})
