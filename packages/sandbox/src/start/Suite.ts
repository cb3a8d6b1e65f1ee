import { join } from "node:path"
import { firstCell } from "@care/domain/cells"
import type { ServiceName } from "@care/domain/peers"
import { fileVariable, firstSecret } from "@care/service-kit/boot"
import { runPharmacy, runScheduling, runStripe, StartFailed } from "@care/stand-ins"
import { Deferred, Effect, Fiber, Predicate, Record } from "effect"
import { stopLeftoverPostgres } from "../postmaster.ts"
import { provision, services } from "../provision.ts"
import { checkPorts } from "./checkPorts.ts"
import { type Databases, databases, requestedDirectory } from "./databases.ts"
import { environmentOf, type ProcessName } from "./environment.ts"
import { keepRunning } from "./keepRunning.ts"
import {
  areAllGiven,
  checkCells,
  furtherCells,
  hasStandIn,
  offsets,
  type StartCell,
  type StartSettings
} from "./StartSettings.ts"
import {
  cellDatabasesFile,
  readSecrets,
  type Secrets,
  secretsFile,
  type ThirdPartySecret,
  writeSecretFile
} from "./secrets.ts"
import { repositoryRoot, runServiceOnce } from "./serviceProcess.ts"

export interface RunningSuite {
  readonly gatewayUrl: string
  /** The owner's URL of each service's database. */
  readonly databaseUrls: Readonly<Record<ServiceName, string>>
  /** The folder of the embedded PostgreSQL; undefined if every service has a given database. */
  readonly databaseDirectory: string | undefined
  readonly hasOwnRoles: boolean
  readonly secrets: Secrets
  /** Never ends: a process that ends is restarted. */
  readonly running: Effect.Effect<never, StartFailed>
}

type Write = (name: string, line: string) => void

const provisionSuite = ({ directory, urls }: Databases, settings: StartSettings, { INTERNAL_SECRET }: Secrets) =>
  Effect.mapError(provision(urls, firstSecret(INTERNAL_SECRET)), (error) => {
    const isOfEmbedded = error.message.startsWith(`PostgreSQL at 127.0.0.1:${settings.port + offsets.postgres} `)
    const isForeign = isOfEmbedded && error.message.includes("password authentication failed")
    const file = secretsFile(settings.dataDirectory)
    return isForeign
      ? new StartFailed({
          message: `${file} does not belong to the database in ${directory}: restore the right file, or set CARE_DATA_DIR to another folder.`
        })
      : error
  })

// A gateway without some of its services is degraded, and answers 200 as well.
const hasAllServices = (gatewayUrl: string) =>
  Effect.tryPromise((signal) => fetch(`${gatewayUrl}/health/ready`, { signal }).then((answer) => answer.json())).pipe(
    Effect.map((answer) => Predicate.hasProperty(answer, "status") && answer.status === "ready"),
    Effect.catchCause(() => Effect.succeed(false))
  )

type CellWithSecrets = StartCell & { readonly secrets: Secrets }

// One for all cells, whose webhooks all get the events of Stripe and of the scheduling provider. The pharmacy knows each cell by its token.
// They stop after the services, which call them, and before the database.
const startStandIns = Effect.fnUntraced(function* (
  { secrets, settings }: CellWithSecrets,
  all: ReadonlyArray<CellWithSecrets>,
  gatewayUrl: string
) {
  const { dataDirectory, port } = settings
  const webhook = (name: string, { name: cell, secrets }: CellWithSecrets, secret: keyof Secrets) => ({
    url: `${gatewayUrl}/webhooks/${name}${cell === firstCell ? "" : `/${cell}`}`,
    secret: firstSecret(secrets[secret])
  })
  // Sandboxes have stand-ins of their own.
  for (const isTest of [false, true]) {
    const [pharmacy, stripe, scheduling] = isTest
      ? (["testPharmacy", "testStripe", "testSchedulingProvider"] as const)
      : (["pharmacy", "stripe", "schedulingProvider"] as const)
    const secretOf = (name: ThirdPartySecret) => (isTest ? (`TEST_${name}` as const) : name)
    const file = (folder: string, name: string) => join(folder, isTest ? `test-${name}.journal` : `${name}.journal`)
    if (hasStandIn(settings, pharmacy)) {
      yield* runPharmacy({
        port: port + offsets[pharmacy],
        accounts: all.map((cell) => ({
          token: cell.secrets[secretOf("PHARMACY_API_TOKEN")],
          callback: webhook("pharmacy", cell, secretOf("PHARMACY_WEBHOOK_SECRET")),
          file: file(cell.settings.dataDirectory, "pharmacy")
        }))
      })
    }
    if (hasStandIn(settings, stripe)) {
      yield* runStripe({
        port: port + offsets[stripe],
        secretKey: secrets[secretOf("STRIPE_SECRET_KEY")],
        webhooks: all.map((cell) => webhook("stripe", cell, secretOf("STRIPE_WEBHOOK_SECRET"))),
        file: file(dataDirectory, "stripe")
      })
    }
    if (hasStandIn(settings, scheduling)) {
      yield* runScheduling({
        port: port + offsets[scheduling],
        token: secrets[secretOf("SCHEDULING_API_TOKEN")],
        webhooks: all.map((cell) => webhook("scheduling", cell, secretOf("SCHEDULING_WEBHOOK_SECRET"))),
        file: file(dataDirectory, "scheduling")
      })
    }
  }
})

const startMillis = 60_000

const untilReady = (gatewayUrl: string) =>
  Effect.gen(function* () {
    while (!(yield* hasAllServices(gatewayUrl))) yield* Effect.sleep("50 millis")
  }).pipe(
    Effect.timeoutOrElse({
      duration: startMillis,
      orElse: () =>
        new StartFailed({ message: `The suite is not ready after ${startMillis / 1000} seconds.`, isInOutput: true })
    })
  )

const withSecrets = (cell: StartCell): Effect.Effect<CellWithSecrets, StartFailed> =>
  Effect.map(readSecrets(cell.settings.dataDirectory, cell.settings.isProduction), (secrets) => ({ ...cell, secrets }))

// Reads the secrets of all cells. The gateway could not tell cells with the same one apart.
const readAllSecrets = Effect.fnUntraced(function* (settings: StartSettings) {
  const first = yield* withSecrets({ name: firstCell, settings })
  const others = yield* Effect.forEach(furtherCells(settings), withSecrets)
  if (others.some(({ secrets }) => secrets.INTERNAL_SECRET === first.secrets.INTERNAL_SECRET)) {
    return yield* new StartFailed({
      message: "INTERNAL_SECRET is set, and each cell needs one of its own: unset it, and start makes them."
    })
  }
  return { first, others }
})

// The parts of a cell that run before its services.
const prepareCell = Effect.fnUntraced(function* (
  cell: CellWithSecrets,
  restarts: { readonly isReady: Deferred.Deferred<void>; readonly write: Write }
) {
  const { secrets, settings } = cell
  const wasKilled = !areAllGiven(settings.databaseUrls) && (yield* stopLeftoverPostgres(requestedDirectory(settings)))
  yield* checkPorts(settings, wasKilled)
  const write: Write = (name, line) => restarts.write(labelOf(cell, name), line)
  const suiteDatabases = yield* databases(settings, secrets, { isReady: restarts.isReady, write })
  const { hasOwnRoles, urls } = yield* provisionSuite(suiteDatabases, settings, secrets)
  return { ...cell, suiteDatabases, hasOwnRoles, urls }
})

type PreparedCell = Effect.Success<ReturnType<typeof prepareCell>>

const labelOf = ({ name: cell }: StartCell, name: string): string => (cell === firstCell ? name : `${cell}/${name}`)

const urlAt = ({ settings: { port } }: StartCell, service: ServiceName): string =>
  `http://127.0.0.1:${port + offsets[service]}`

// What the gateway has to know of the cells after the first.
const descriptionOf = (cell: PreparedCell) => ({
  ...Record.map(cell.urls, (_, service) => urlAt(cell, service)),
  internalSecret: firstSecret(cell.secrets.INTERNAL_SECRET)
})

/**
 * Starts the whole suite, and returns when the gateway reaches all services: PostgreSQL (embedded unless a database is given), the
 * services and the gateway as processes, and stand-ins for missing third parties. When the scope closes, the services
 * stop first, then the stand-ins, then PostgreSQL. With several cells each has its own PostgreSQL and services, behind the one gateway.
 */
export const startSuite = Effect.fnUntraced(function* (settings: StartSettings, write: Write) {
  yield* checkCells(settings)
  const gatewayUrl = `http://127.0.0.1:${settings.port}`
  const isReady = yield* Deferred.make<void>()
  const prepare = (cell: CellWithSecrets) => prepareCell(cell, { isReady, write })
  const cells = yield* readAllSecrets(settings)
  const first = yield* prepare(cells.first)
  const others = yield* Effect.forEach(cells.others, prepare)
  const { hasOwnRoles, secrets, suiteDatabases } = first
  if (others.length > 0) {
    const ofCells = [first, ...others].map(({ name, suiteDatabases: { urls } }) => [name, urls])
    yield* writeSecretFile(cellDatabasesFile(settings.dataDirectory), Object.fromEntries(ofCells))
  }
  yield* startStandIns(first, [first, ...others], gatewayUrl)

  const programOf = settings.programOf ?? ((name) => join(repositoryRoot, "services", name, "src", "main.ts"))
  const CELLS = JSON.stringify(Object.fromEntries(others.map((cell) => [cell.name, descriptionOf(cell)])))
  // Services may accept another cell's secret, too, so that an organization can move. The gateway tells cells apart by them.
  const ofGateway = {
    CELLS,
    [fileVariable("CELLS")]: undefined,
    INTERNAL_SECRET: firstSecret(secrets.INTERNAL_SECRET)
  }
  const keep = (cell: PreparedCell, name: ProcessName) => {
    const databaseUrl = name === "gateway" ? undefined : cell.urls[name]
    const { dataDirectory } = cell.settings
    const ofService = {
      CELL: cell.name,
      GATEWAY_URL: gatewayUrl,
      // Given ones are the first cell's.
      ...(cell !== first && {
        STRIPE_SECRET_KEY: secrets.STRIPE_SECRET_KEY,
        SCHEDULING_API_TOKEN: secrets.SCHEDULING_API_TOKEN,
        TEST_STRIPE_SECRET_KEY: secrets.TEST_STRIPE_SECRET_KEY,
        TEST_SCHEDULING_API_TOKEN: secrets.TEST_SCHEDULING_API_TOKEN,
        AUDIT_OUTBOX_DIR: join(dataDirectory, "audit"),
        ERASURE_LIST_DIR: join(dataDirectory, "erasures")
      })
    }
    const ofCells = others.length === 0 ? {} : name === "gateway" ? ofGateway : ofService
    const environment = environmentOf(name, process.env, cell.settings, cell.secrets, databaseUrl, ofCells)
    const label = labelOf(cell, name)
    const runOnce = runServiceOnce({
      name,
      program: programOf(name),
      environment,
      write: (_, line) => write(label, line)
    })
    return keepRunning({ name: label, runOnce, isReady, write, restartMillis: settings.restartMillis })
  }
  const kept = [
    ...[first, ...others].flatMap((cell) => services.map((name) => keep(cell, name))),
    keep(first, "gateway")
  ]
  const processes = yield* Effect.all(kept, { concurrency: "unbounded", discard: true }).pipe(
    Effect.andThen(Effect.never),
    Effect.forkScoped
  )

  const running = Effect.raceAllFirst([
    Fiber.join(processes),
    ...[first, ...others].map((cell) => cell.suiteDatabases.running)
  ])
  yield* Effect.raceFirst(untilReady(gatewayUrl), running)
  yield* Deferred.succeed(isReady, undefined)

  const suite: RunningSuite = {
    gatewayUrl,
    databaseUrls: suiteDatabases.urls,
    databaseDirectory: suiteDatabases.directory,
    hasOwnRoles,
    secrets,
    running
  }
  return suite
})
