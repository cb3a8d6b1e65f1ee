import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Record } from "effect"
import { until } from "../../test/until.ts"
import { findFreeBase } from "../ports.ts"
import { forEveryService } from "../provision.ts"
import type { ProcessName } from "./environment.ts"
import { offsets, type StartSettings } from "./StartSettings.ts"
import { startSuite } from "./Suite.ts"
import { cellDatabasesFile, secretsFile } from "./secrets.ts"

const names: ReadonlyArray<ProcessName> = ["gateway", "auth", "cases", "payments", "scheduling"]

// A service that prints its environment, is ready, and ends on a signal.
const obedient = `
  import { createServer } from "node:http"
  createServer((request, response) => {
    if (request.url === "/end") process.exit(1)
    response.end('{ "status": "ready" }')
  }).listen(Number(process.env.PORT), "127.0.0.1", () =>
    process.stdout.write("runs with " + JSON.stringify(process.env) + "\\n")
  )
`

const embedded: StartSettings["databaseUrls"] = forEveryService(undefined)

// The ports of the second cell.
const otherPorts = Effect.map(findFreeBase(Object.values(offsets)), (other) => ({ portOfCell: () => other }))

/** Starts a suite of fake services, some with their own program, on an empty database or on those that are given. */
const startFakes = Effect.fnUntraced(function* (
  programs: Partial<Record<ProcessName, string>>,
  external?: StartSettings["databaseUrls"],
  cells = 1
) {
  const folder = yield* temporaryFolder()
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  for (const name of names) {
    writeFileSync(join(folder, `${name}.ts`), programs[name] ?? obedient)
  }
  const port = yield* findFreeBase(Object.values(offsets))
  const databaseUrls = external ?? forEveryService((yield* makeEmptyDatabase).url)
  const lines: Array<string> = []
  const settings = {
    port,
    host: "127.0.0.1",
    dataDirectory: join(folder, "data"),
    databaseUrls,
    publicUrl: "http://localhost",
    isProduction: false,
    isTerminal: false,
    programOf: (name: ProcessName) => join(folder, `${name}.ts`),
    cells,
    ...(cells > 1 && (yield* otherPorts))
  }
  const suite = yield* startSuite(settings, (name, line) => lines.push(`${name} ${line}`))
  return { ...suite, dataDirectory: settings.dataDirectory, port, lines }
})

const runsIn = (lines: ReadonlyArray<string>, name: ProcessName): ReadonlyArray<string> =>
  lines.filter((line) => line.startsWith(`${name} runs with `))

const untilAllRun = (lines: ReadonlyArray<string>) => until(() => names.every((name) => runsIn(lines, name).length > 0))

it.live("no process has another one's secrets in its environment", () =>
  Effect.gen(function* () {
    const { databaseUrls, lines, secrets } = yield* startFakes({})
    yield* untilAllRun(lines)
    const knownTo = {
      [secrets.ADMIN_TOKEN]: ["gateway"],
      [secrets.JWT_SECRET]: ["auth"],
      [secrets.PHI_KEY]: ["auth", "cases", "payments", "scheduling"],
      [secrets.INTERNAL_SECRET]: names,
      [secrets.POSTGRES_PASSWORD]: [],
      [databaseUrls.auth]: []
    }
    for (const name of names) {
      const [environment = ""] = runsIn(lines, name)
      for (const [secret, who] of Object.entries(knownTo)) {
        assert.strictEqual(
          environment.includes(secret),
          who.some((one) => one === name),
          `${name}: ${secret}`
        )
      }
      const databases = environment.match(/postgresql:\/\/\w+/g) ?? []
      assert.lengthOf(databases, name === "gateway" ? 0 : 1)
      if (name !== "gateway") assert.match(databases[0] ?? "", new RegExp(`_${name}$`))
    }
  }).pipe(Effect.scoped)
)

it.live("a service with a database of its own is given that one, and the others the embedded one", () =>
  Effect.gen(function* () {
    const own = yield* makeEmptyDatabase
    const { lines, port } = yield* startFakes({}, { ...embedded, cases: own.url })
    yield* untilAllRun(lines)
    const databaseOf = (name: ProcessName) =>
      /@[\w.:]+\/\w+/.exec(runsIn(lines, name)[0]?.split("postgresql:")[1] ?? "")?.[0]
    assert.strictEqual(databaseOf("cases"), `@${new URL(own.url).host}/${own.name}`)
    for (const name of ["auth", "payments", "scheduling"] as const) {
      assert.strictEqual(databaseOf(name), `@127.0.0.1:${port + offsets.postgres}/postgres`)
    }
  }).pipe(Effect.scoped)
)

it.live("two cells have one gateway and one of each stand-in, and databases, secrets and services of their own", () =>
  Effect.gen(function* () {
    const { dataDirectory, databaseUrls, gatewayUrl, lines, port, secrets } = yield* startFakes({}, embedded, 2)
    const file = cellDatabasesFile(dataDirectory)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
    const cells: Readonly<Record<string, typeof databaseUrls>> = JSON.parse(readFileSync(file, "utf8"))
    assert.deepStrictEqual([Object.keys(cells), cells["c1"]], [["c1", "c2"], databaseUrls])
    for (const [cell, folder] of [
      ["c1", dataDirectory],
      ["c2", join(dataDirectory, "c2")]
    ] as const) {
      const { POSTGRES_PASSWORD } = JSON.parse(readFileSync(secretsFile(folder), "utf8"))
      assert.strictEqual(new URL(cells[cell]?.cases ?? "").password, POSTGRES_PASSWORD)
    }
    const environmentIn = (label: string): Readonly<Record<string, string>> => {
      const start = `${label} runs with `
      return JSON.parse(lines.find((line) => line.startsWith(start))?.slice(start.length) ?? "{}")
    }
    yield* until(() =>
      names.every((name) => name === "gateway" || lines.some((line) => line.startsWith(`c2/${name} `)))
    )
    yield* untilAllRun(lines)
    assert.isFalse(lines.some((line) => line.startsWith("c2/gateway")))
    const { CELLS = "{}" } = environmentIn("gateway")
    const { c2 } = JSON.parse(CELLS)
    for (const name of ["auth", "cases", "payments", "scheduling"] as const) {
      const [first, second] = [environmentIn(name), environmentIn(`c2/${name}`)]
      assert.deepStrictEqual([first["CELL"], second["CELL"]], ["c1", "c2"])
      assert.strictEqual(second["PORT"], new URL(c2[name]).port)
      assert.strictEqual(second["INTERNAL_SECRET"], c2.internalSecret)
      for (const own of ["INTERNAL_SECRET", "PHI_KEY", "DATABASE_URL", "AUDIT_OUTBOX_DIR"]) {
        assert.notStrictEqual(second[own], first[own], own)
      }
      assert.include(first["DATABASE_URL"], `127.0.0.1:${port + offsets.postgres}/`)
    }
    assert.strictEqual(environmentIn("c2/auth")["GATEWAY_URL"], gatewayUrl)
    assert.notStrictEqual(environmentIn("c2/auth")["JWT_SECRET"], secrets.JWT_SECRET)
    for (const [name, common, own] of [
      ["payments", ["STRIPE_API_URL", "STRIPE_SECRET_KEY"], "STRIPE_WEBHOOK_SECRET"],
      ["scheduling", ["SCHEDULING_API_URL", "SCHEDULING_API_TOKEN"], "SCHEDULING_WEBHOOK_SECRET"],
      ["cases", ["PHARMACY_API_URL"], "PHARMACY_API_TOKEN"]
    ] as const) {
      const [first, second] = [environmentIn(name), environmentIn(`c2/${name}`)]
      for (const variable of common) assert.strictEqual(second[variable], first[variable], variable)
      assert.notStrictEqual(second[own], first[own], own)
    }
  }).pipe(Effect.scoped)
)

it.live("several cells with a given INTERNAL_SECRET are refused, because each needs its own", () =>
  Effect.gen(function* () {
    const env = { INTERNAL_SECRET: "a-given-secret" }
    const failure = yield* Effect.flip(
      startFakes({}, embedded, 2).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))
      )
    )
    assert.strictEqual(
      failure.message,
      "INTERNAL_SECRET is set, and each cell needs one of its own: unset it, and start makes them."
    )
  }).pipe(Effect.scoped)
)

// A gateway that is never ready.
const waiting = "setInterval(() => {}, 1000)"

const saying = (name: ProcessName, sentence: string) =>
  `process.stderr.write("care ${name}: ${sentence}\\n"); process.exitCode = 1`

it.live("a failure to start of one process or of all is reported once", () =>
  Effect.gen(function* () {
    const failing = (name: ProcessName) => saying(name, "PHI_KEY is missing: set it.")
    const one = yield* Effect.flip(startFakes({ gateway: waiting, auth: failing("auth") }))
    assert.strictEqual(one.message, "PHI_KEY is missing: set it.")

    const all = yield* Effect.flip(startFakes(Record.fromEntries(names.map((name) => [name, failing(name)]))))
    assert.strictEqual(all.message, "PHI_KEY is missing: set it.")

    const crashing = yield* Effect.flip(startFakes({ gateway: waiting, cases: "process.exitCode = 7" }))
    assert.strictEqual(crashing.message, "The cases process does not start (exit code 7).")
  }).pipe(Effect.scoped)
)

it.live("a process that exits is started again, and the others keep running", () =>
  Effect.gen(function* () {
    const { lines, port } = yield* startFakes({})
    yield* untilAllRun(lines)
    yield* Effect.promise(() => fetch(`http://127.0.0.1:${port + offsets.payments}/end`).catch(() => {}))
    yield* until(() => runsIn(lines, "payments").length === 2)
    assert.include(lines, "payments ended (exit code 1), next try in 1 s")
    for (const name of names) assert.lengthOf(runsIn(lines, name), name === "payments" ? 2 : 1)
  }).pipe(Effect.scoped)
)
