import { join } from "node:path"
import type { ServiceName } from "@care/domain/peers"
import type { StartFailed } from "@care/stand-ins"
import { Deferred, Effect, Fiber, Record } from "effect"
import { type RunningPostgres, runEmbeddedPostgres } from "../EmbeddedPostgres.ts"
import { type Kept, keepRunning, type ProcessEnd } from "./keepRunning.ts"
import { areAllGiven, offsets, type StartSettings } from "./StartSettings.ts"
import type { Secrets } from "./secrets.ts"

export interface Databases {
  /** The owner's URL of each service's database. */
  readonly urls: Readonly<Record<ServiceName, string>>
  /** The folder of the embedded PostgreSQL; undefined if every service has a given database. */
  readonly directory: string | undefined
  /** Never succeeds. Fails when the embedded PostgreSQL does not start. */
  readonly running: Effect.Effect<never, StartFailed>
}

export const requestedDirectory = ({ dataDirectory }: StartSettings): string => join(dataDirectory, "postgres")

/** Returns the given databases. Runs an embedded PostgreSQL until the scope closes if a service has none. */
export const databases = Effect.fnUntraced(function* (
  settings: StartSettings,
  secrets: Secrets,
  restarts: Pick<Kept<never>, "isReady" | "write">
) {
  const { databaseUrls } = settings
  if (areAllGiven(databaseUrls)) {
    const external: Databases = { urls: databaseUrls, directory: undefined, running: Effect.never }
    return external
  }
  const first = yield* Deferred.make<RunningPostgres>()
  const runOnce = runEmbeddedPostgres({
    directory: requestedDirectory(settings),
    port: settings.port + offsets.postgres,
    password: secrets.POSTGRES_PASSWORD,
    isDurable: true
  }).pipe(
    Effect.tap((running) => Deferred.succeed(first, running)),
    Effect.flatMap(({ end }) => end),
    Effect.scoped,
    Effect.match({
      onSuccess: (how): ProcessEnd => ({ how, sentence: undefined }),
      onFailure: ({ message }): ProcessEnd => ({ how: message, sentence: message })
    })
  )
  const keeper = yield* keepRunning({ ...restarts, name: "postgres", runOnce }).pipe(Effect.forkScoped)
  const running = Fiber.join(keeper)
  const { directory, url } = yield* Effect.raceFirst(Deferred.await(first), running)
  const withEmbedded: Databases = { urls: Record.map(databaseUrls, (external) => external ?? url), directory, running }
  return withEmbedded
})
