import { join } from "node:path"
import { Deferred, Effect, Fiber } from "effect"
import { runEmbeddedPostgres, stopLeftoverPostgres } from "../EmbeddedPostgres.ts"
import { firstTakenPort } from "../ports.ts"
import { provision, type Service, services } from "../provision.ts"
import { runService } from "./runService.ts"
import { StartFailed } from "./StartFailed.ts"
import { offsets, type StartSettings } from "./StartSettings.ts"
import { readSecrets, type Secrets } from "./secrets.ts"

/** The suite as it runs: where it is, and what fails when one of its processes cannot be kept running. */
export interface RunningSuite {
  readonly gatewayUrl: string
  /** URL of the database's owner. */
  readonly databaseUrl: string
  /** Where the embedded PostgreSQL keeps its data; undefined when the database is given. */
  readonly databaseDirectory: string | undefined
  readonly hasOwnRoles: boolean
  readonly secrets: Secrets
  /** Never succeeds: fails when a service cannot be kept running. */
  readonly running: Effect.Effect<never, StartFailed>
}

const postgresDirectory = ({ dataDirectory }: StartSettings) => join(dataDirectory, "postgres")

const database = Effect.fnUntraced(function* (settings: StartSettings, secrets: Secrets) {
  if (settings.databaseUrl !== undefined) return { url: settings.databaseUrl, directory: undefined }
  return yield* runEmbeddedPostgres({
    directory: postgresDirectory(settings),
    port: settings.port + offsets.postgres,
    password: secrets.POSTGRES_PASSWORD,
    isDurable: true
  })
})

const checkPorts = Effect.fnUntraced(function* ({ databaseUrl, port }: StartSettings) {
  const needed = Object.values(offsets)
    .filter((offset) => offset !== offsets.postgres || databaseUrl === undefined)
    .map((offset) => port + offset)
  const taken = yield* firstTakenPort(needed)
  if (taken !== undefined) {
    return yield* new StartFailed({
      message: `Port ${taken} is taken: stop what listens there, or choose others, for example PORT=${port + 1000}.`
    })
  }
})

const environmentOf = (
  name: Service | "gateway",
  settings: StartSettings,
  secrets: Secrets,
  databaseUrl: string | undefined
): Record<string, string | undefined> => {
  const at = (offset: number) => `http://127.0.0.1:${settings.port + offset}`
  return {
    ...process.env,
    NODE_ENV: settings.isProduction ? "production" : "development",
    NODE_COMPILE_CACHE: join(settings.dataDirectory, "compile-cache"),
    PORT: String(settings.port + offsets[name]),
    DATABASE_URL: databaseUrl,
    AUTH_URL: at(offsets.auth),
    CASES_URL: at(offsets.cases),
    PAYMENTS_URL: at(offsets.payments),
    SCHEDULING_URL: at(offsets.scheduling),
    PUBLIC_URL: settings.publicUrl,
    ADMIN_TOKEN: secrets.ADMIN_TOKEN,
    INTERNAL_SECRET: secrets.INTERNAL_SECRET,
    JWT_SECRET: secrets.JWT_SECRET,
    PHI_KEY: secrets.PHI_KEY
  }
}

const answersReady = (url: string) =>
  Effect.tryPromise(() => fetch(`${url}/health/ready`).then(({ status }) => status === 200)).pipe(
    Effect.catchCause(() => Effect.succeed(false))
  )

const startMillis = 60_000

/**
 * Starts the whole suite: PostgreSQL (embedded unless a database is given), the four services and the gateway, each a
 * process of its own; ready when the gateway says that all are. Everything stops when the scope closes: the services
 * first, then PostgreSQL.
 */
export const startSuite = Effect.fnUntraced(function* (
  settings: StartSettings,
  write: (name: string, line: string) => void
) {
  const secrets = yield* readSecrets(settings.dataDirectory, settings.isProduction)
  if (settings.databaseUrl === undefined) yield* stopLeftoverPostgres(postgresDirectory(settings))
  yield* checkPorts(settings)
  const { directory, url } = yield* database(settings, secrets)
  const { hasOwnRoles, urls } = yield* provision(url, secrets.INTERNAL_SECRET)

  const isReady = yield* Deferred.make<void>()
  const gatewayUrl = `http://127.0.0.1:${settings.port}`
  const processes = yield* Effect.forEach(
    [...services, "gateway"] as const,
    (name) =>
      runService(
        {
          name,
          environment: environmentOf(name, settings, secrets, name === "gateway" ? undefined : urls[name]),
          write
        },
        isReady
      ),
    { concurrency: "unbounded", discard: true }
  ).pipe(Effect.andThen(Effect.never), Effect.forkScoped)

  const untilReady = Effect.gen(function* () {
    while (!(yield* answersReady(gatewayUrl))) yield* Effect.sleep("50 millis")
  }).pipe(
    Effect.timeoutOrElse({
      duration: startMillis,
      orElse: () => new StartFailed({ message: `The suite is not ready after ${startMillis / 1000} seconds.` })
    })
  )
  yield* Effect.raceFirst(untilReady, Fiber.join(processes))
  yield* Deferred.succeed(isReady, undefined)

  const suite: RunningSuite = {
    gatewayUrl,
    databaseUrl: url,
    databaseDirectory: directory,
    hasOwnRoles,
    secrets,
    running: Fiber.join(processes)
  }
  return suite
})
