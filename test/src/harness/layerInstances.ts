import { readFileSync } from "node:fs"
import { join } from "node:path"
import { findFreeBase, forEveryService, readSecrets, runEmbeddedPostgres } from "@care/sandbox"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { Context, Effect, Layer } from "effect"
import { startProcesses } from "./layerProcesses.ts"
import { Suite } from "./Suite.ts"
import { checkStatements, recordingStatements } from "./statements.ts"

/** The second of two suites on one database; `Suite` is the first. */
class SecondSuite extends Context.Service<SecondSuite, Suite["Service"]>()("@care/test/harness/SecondSuite") {}

/** Provides two suites on one database that share the Stripe stand-in of the first. */
export const layerOneStripe = Layer.effectContext(
  Effect.gen(function* () {
    const { url } = yield* makeEmptyDatabase
    const dataDirectory = yield* temporaryFolder()
    const first = yield* startProcesses(url, dataDirectory)
    const second = yield* startProcesses(url, dataDirectory, { stripeUrl: Context.get(first, Suite).stripeUrl })
    yield* Effect.addFinalizer(() => checkStatements(forEveryService(url)))
    return Context.add(first, SecondSuite, Context.get(second, Suite))
  })
)

/** The log file of the PostgreSQL that two suites share. */
class DatabaseLog extends Context.Service<DatabaseLog, string>()("@care/test/harness/DatabaseLog") {}

/** Returns the log lines about connections that PostgreSQL refused because there were too many. */
export const refusedConnections = Effect.map(DatabaseLog, (file) => {
  const lines = readFileSync(file, "utf8").split("\n")
  if (!lines.some((line) => line.includes("ready to accept connections"))) {
    throw new Error(`${file} is not the log of a PostgreSQL that runs`)
  }
  return lines.filter((line) => /too many|connection slots/.test(line))
})

/** Runs an effect with the second suite instead of the first. */
export const throughSecond = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SecondSuite, (suite) => Effect.provideService(effect, Suite, suite))

/** Runs an effect `count` times in parallel, alternating between the first suite and the second. */
export const alternating = <A, E, R>(count: number, effect: Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: count }, (_, index) => (index % 2 === 0 ? effect : throughSecond(effect))),
    { concurrency: "unbounded" }
  )

/** Provides two suites, ten processes, that start at once on one empty database, with PostgreSQL's default of 100 connections. */
export const layerInstances = Layer.effectContext(
  Effect.gen(function* () {
    const { directory, url } = yield* runEmbeddedPostgres({
      directory: join(yield* temporaryFolder(), "postgres"),
      port: yield* findFreeBase([0]),
      password: "instances",
      isDurable: false,
      settings: { ...recordingStatements, max_connections: "100" }
    })
    yield* Effect.addFinalizer(() => checkStatements(forEveryService(url)))
    const dataDirectory = yield* temporaryFolder()
    // Creates the secrets before the suites read them, so that both have the same.
    yield* readSecrets(dataDirectory, false)
    const start = startProcesses(url, dataDirectory)
    const [first, second] = yield* Effect.all([start, start], { concurrency: "unbounded" })
    return first.pipe(
      Context.add(SecondSuite, Context.get(second, Suite)),
      Context.add(DatabaseLog, join(directory, "server.log"))
    )
  })
)
