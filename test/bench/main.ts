import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createCaseExample } from "@care/domain/cases/createCaseExample"
import { findFreeBase, offsets, runEmbeddedPostgres, startSuite } from "@care/sandbox"
import { Effect } from "effect"
import pg from "pg"
import { cpuMillis, processesOf } from "./cpuTime.ts"
import { type LoadRequest, type LoadResult, load } from "./load.ts"
import { seed } from "./seed.ts"

const here = dirname(fileURLToPath(import.meta.url))
const seededCases = 100_000
const connections = 32
const rounds = 5
const warmUpMillis = 8000
const roundMillis = 6000

const say = (text: string) => process.stdout.write(`${text}\n`)

const secrets = {
  ADMIN_TOKEN: randomBytes(32).toString("base64url"),
  INTERNAL_SECRET: randomBytes(32).toString("base64url"),
  JWT_SECRET: randomBytes(64).toString("base64url"),
  PHI_KEY: `k1:${randomBytes(32).toString("base64")}`
}

const runPeer = (file: string, parameters: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ChildProcess>((resolve, reject) => {
          const child = spawn(process.execPath, [join(here, "peer", file), ...parameters], {
            stdio: ["ignore", "inherit", "inherit", "ipc"],
            env: { ...process.env, NODE_ENV: "production" }
          })
          child.once("message", () => resolve(child))
          child.once("exit", () => reject(new Error(`${file} does not start`)))
        })
    ),
    (child) => Effect.sync(() => child.kill())
  )

const post = async (url: string, body: unknown): Promise<Readonly<Record<string, string>>> => {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(await response.text())
  const answer: Readonly<Record<string, string>> = JSON.parse(await response.text())
  return answer
}

let patients = 0

const newCase = (productId: string) => {
  patients += 1
  const digits = String(2_000_000 + (patients % 7_999_999))
  const area = 201 + Math.floor(patients / 7_999_999)
  return {
    user: {
      ...createCaseExample.user,
      email: `bench${patients}@example.com`,
      phoneNumber: `+1${area}${digits}`,
      languagePreferences: ["en"]
    },
    products: [
      {
        id: productId,
        form: {
          title: "Weight management intake",
          questions: [
            { question: "How much do you weigh in pounds?", answer: "185", type: "TEXT", required: true, phi: true },
            {
              question: "Do you have allergies?",
              answer: "No",
              type: "SINGLESELECT",
              options: ["Yes", "No"],
              phi: true
            },
            { question: "Anything else?", answer: "I would like to start next week.", type: "TEXT" }
          ]
        }
      }
    ]
  }
}

interface Measured extends LoadResult {
  readonly cpuMicros: number
}

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const summary = (all: ReadonlyArray<Measured>) => ({
  requestsPerSecond: median(all.map(({ requestsPerSecond }) => requestsPerSecond)),
  p50: median(all.map(({ p50 }) => p50)),
  p99: median(all.map(({ p99 }) => p99)),
  cpuMicros: median(all.map(({ cpuMicros }) => cpuMicros))
})

const row = (name: string, { cpuMicros, p50, p99, requestsPerSecond }: ReturnType<typeof summary>) =>
  `  ${name.padEnd(10)}${requestsPerSecond.toFixed(0).padStart(8)} /s${p50.toFixed(1).padStart(9)} ms${p99.toFixed(1).padStart(9)} ms${cpuMicros.toFixed(0).padStart(9)} us`

const bench = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const made = mkdtempSync(join(tmpdir(), "care-bench-"))
      chmodSync(made, 0o755)
      return made
    }),
    (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
  )
  const base = yield* findFreeBase([...Object.values(offsets), 25, 26])
  say(`Starting PostgreSQL, the suite and its peer ...`)
  const { url } = yield* runEmbeddedPostgres({
    directory: join(folder, "postgres"),
    port: base + offsets.postgres,
    password: "bench",
    isDurable: true
  })
  Object.assign(process.env, secrets)
  const settings = {
    port: base,
    host: "127.0.0.1",
    dataDirectory: folder,
    databaseUrl: url,
    publicUrl: "",
    isProduction: true,
    isTerminal: false
  }
  const suite = yield* startSuite(settings, (name, line) => say(`${name} ${line}`))
  const organizations = `${suite.gatewayUrl}/admin/v1/organizations`
  const { id: organizationId = "" } = yield* Effect.promise(() => post(organizations, { name: "Bench" }))
  const { key = "" } = yield* Effect.promise(() => post(`${organizations}/${organizationId}/api-keys`, {}))
  const { id: productId = "" } = yield* Effect.promise(() =>
    post(`${organizations}/${organizationId}/products`, { name: "Program" })
  )

  say(`Storing ${seededCases} cases ...`)
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const caseIds = yield* Effect.promise(() => seed(pool, organizationId, productId, seededCases))
  yield* Effect.promise(() => pool.end())

  yield* runPeer("service.ts", [String(base + 26), url, secrets.PHI_KEY])
  yield* runPeer("gateway.ts", [String(base + 25), `http://127.0.0.1:${base + 26}`, url])

  const headers = { "cv-api-key": key, "content-type": "application/json" }
  const kinds: Readonly<Record<string, () => LoadRequest>> = {
    "case detail": () => {
      const caseId = caseIds[Math.floor(Math.random() * caseIds.length)] ?? randomUUID()
      return { method: "GET", path: `/api/v1/customer-case-detail?caseId=${caseId}`, headers: { "cv-api-key": key } }
    },
    "case creation": () => ({
      method: "POST",
      path: "/api/v1/cases",
      headers,
      body: JSON.stringify(newCase(productId))
    })
  }
  const sides = {
    suite: { origin: suite.gatewayUrl, pids: processesOf("/services/") },
    peer: { origin: `http://127.0.0.1:${base + 25}`, pids: processesOf("bench/peer/") }
  }

  const measure = async (side: keyof typeof sides, make: () => LoadRequest, millis: number): Promise<Measured> => {
    const { origin, pids } = sides[side]
    const before = cpuMillis(pids)
    const result = await load(origin, connections, millis, make)
    return { ...result, cpuMicros: ((cpuMillis(pids) - before) * 1000) / result.requests }
  }

  const [processor] = cpus()
  say(
    `\n${cpus().length} x ${processor?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`
  )
  say(`${connections} connections, ${rounds} rounds of ${roundMillis / 1000} s each, alternating, medians\n`)
  for (const [kind, make] of Object.entries(kinds)) {
    say(`${kind.padEnd(12)}requests         p50          p99   CPU/request`)
    const measured: { readonly [Side in keyof typeof sides]: Array<Measured> } = { suite: [], peer: [] }
    for (const side of ["suite", "peer"] as const) yield* Effect.promise(() => measure(side, make, warmUpMillis))
    for (let round = 0; round < rounds; round += 1) {
      for (const side of ["suite", "peer"] as const) {
        measured[side].push(yield* Effect.promise(() => measure(side, make, roundMillis)))
      }
    }
    const [ours, theirs] = [summary(measured.suite), summary(measured.peer)]
    say(row("suite", ours))
    say(row("peer", theirs))
    say(`  ratio     ${(ours.requestsPerSecond / theirs.requestsPerSecond).toFixed(2).padStart(8)}\n`)
  }
})

// Measures the suite against the same two endpoints written plainly on Fastify, in one run on one machine.
await Effect.runPromise(Effect.scoped(bench))
