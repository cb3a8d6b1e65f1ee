import { join } from "node:path"
import type { StartFailed } from "@care/stand-ins"
import { Deferred, Effect, Fiber } from "effect"
import { type RunningPostgres, runEmbeddedPostgres } from "../EmbeddedPostgres.ts"
import { type Kept, keepRunning, type ProcessEnd } from "./keepRunning.ts"
import { offsets, type StartSettings } from "./StartSettings.ts"
import type { Secrets } from "./secrets.ts"

export interface Database {
  /** The owner's URL. */
  readonly url: string
  /** The folder of the embedded PostgreSQL; undefined for a given database. */
  readonly directory: string | undefined
  /** Never succeeds. Fails when the embedded PostgreSQL does not start. */
  readonly running: Effect.Effect<never, StartFailed>
}

export const requestedDirectory = ({ dataDirectory }: StartSettings): string => join(dataDirectory, "postgres")

/** Returns the given database, or runs an embedded PostgreSQL until the scope closes. */
export const database = Effect.fnUntraced(function* (
  settings: StartSettings,
  secrets: Secrets,
  restarts: Pick<Kept<never>, "isReady" | "write">
) {
  if (settings.databaseUrl !== undefined) {
    const external: Database = { url: settings.databaseUrl, directory: undefined, running: Effect.never }
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
  const embedded: Database = { url, directory, running }
  return embedded
})
