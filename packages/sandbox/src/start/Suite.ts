import { join } from "node:path"
import type { ServiceName } from "@care/domain/peers"
import { firstSecret } from "@care/service-kit/boot"
import { runPharmacy, runScheduling, runStripe, StartFailed } from "@care/stand-ins"
import { Deferred, Effect, Fiber, Predicate } from "effect"
import { stopLeftoverPostgres } from "../postmaster.ts"
import { provision, services } from "../provision.ts"
import { checkPorts } from "./checkPorts.ts"
import { type Databases, databases, requestedDirectory } from "./databases.ts"
import { environmentOf, type ProcessName } from "./environment.ts"
import { keepRunning } from "./keepRunning.ts"
import { areAllGiven, hasStandIn, offsets, type StartSettings } from "./StartSettings.ts"
import { readSecrets, type Secrets, secretsFile } from "./secrets.ts"
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

// They stop after the services, which call them, and before the database.
const startStandIns = Effect.fnUntraced(function* (settings: StartSettings, secrets: Secrets) {
  const { dataDirectory, port } = settings
  const webhook = (name: string, secret: string) => ({
    url: `http://127.0.0.1:${port}/webhooks/${name}`,
    secret: firstSecret(secret)
  })
  if (hasStandIn(settings, "pharmacy")) {
    yield* runPharmacy({
      port: port + offsets.pharmacy,
      token: secrets.PHARMACY_API_TOKEN,
      callback: webhook("pharmacy", secrets.PHARMACY_WEBHOOK_SECRET),
      file: join(dataDirectory, "pharmacy.journal")
    })
  }
  if (hasStandIn(settings, "stripe")) {
    yield* runStripe({
      port: port + offsets.stripe,
      secretKey: secrets.STRIPE_SECRET_KEY,
      webhook: webhook("stripe", secrets.STRIPE_WEBHOOK_SECRET),
      file: join(dataDirectory, "stripe.journal")
    })
  }
  if (hasStandIn(settings, "schedulingProvider")) {
    yield* runScheduling({
      port: port + offsets.schedulingProvider,
      token: secrets.SCHEDULING_API_TOKEN,
      webhook: webhook("scheduling", secrets.SCHEDULING_WEBHOOK_SECRET),
      file: join(dataDirectory, "scheduling.journal")
    })
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

/**
 * Starts the whole suite, and returns when the gateway reaches all services: PostgreSQL (embedded unless a database is given), the
 * services and the gateway as processes, and stand-ins for missing third parties. When the scope closes, the services
 * stop first, then the stand-ins, then PostgreSQL.
 */
export const startSuite = Effect.fnUntraced(function* (settings: StartSettings, write: Write) {
  const secrets = yield* readSecrets(settings.dataDirectory, settings.isProduction)
  const wasKilled = !areAllGiven(settings.databaseUrls) && (yield* stopLeftoverPostgres(requestedDirectory(settings)))
  yield* checkPorts(settings, wasKilled)

  const isReady = yield* Deferred.make<void>()
  const suiteDatabases = yield* databases(settings, secrets, { isReady, write })
  const { hasOwnRoles, urls } = yield* provisionSuite(suiteDatabases, settings, secrets)

  yield* startStandIns(settings, secrets)

  const programOf = settings.programOf ?? ((name) => join(repositoryRoot, "services", name, "src", "main.ts"))
  const keep = (name: ProcessName) => {
    const databaseUrl = name === "gateway" ? undefined : urls[name]
    const environment = environmentOf(name, process.env, settings, secrets, databaseUrl)
    const runOnce = runServiceOnce({ name, program: programOf(name), environment, write })
    return keepRunning({ name, runOnce, isReady, write, restartMillis: settings.restartMillis })
  }
  const processes = yield* Effect.forEach([...services, "gateway"] as const, keep, {
    concurrency: "unbounded",
    discard: true
  }).pipe(Effect.andThen(Effect.never), Effect.forkScoped)

  const gatewayUrl = `http://127.0.0.1:${settings.port}`
  const running = Effect.raceFirst(Fiber.join(processes), suiteDatabases.running)
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
