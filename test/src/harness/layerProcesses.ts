import { programIn } from "@care/build"
import { findFreeBase, forEveryService, offsets, type StartSettings, startSuite } from "@care/sandbox"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { builtPrograms } from "./builtPrograms.ts"
import { makeOwners } from "./makeOwners.ts"
import { pharmacyAt, Suite, schedulingProviderAt, stripeAt, urlsFrom } from "./Suite.ts"
import { checkStatements } from "./statements.ts"

/** The folder in which the start command keeps the suite's secrets. */
export class DataDirectory extends Context.Service<DataDirectory, string>()("@care/test/harness/DataDirectory") {}

/**
 * Starts the suite as five processes, as the start command does, on a database and with the secrets of a folder; `stripeUrl` is the Stripe
 * stand-in of another suite, `readDatabaseUrl` a standby. The processes run the built programs, which start in a third of the processor time of the sources
 * (`start.system.test.ts` starts those).
 */
export const startProcesses = Effect.fnUntraced(function* (
  databaseUrl: string,
  dataDirectory: string,
  { readDatabaseUrl, stripeUrl }: { readonly readDatabaseUrl?: string; readonly stripeUrl?: string } = {}
) {
  const programs = yield* builtPrograms
  const port = yield* findFreeBase(Object.values(offsets))
  const settings: StartSettings = {
    port,
    host: "127.0.0.1",
    dataDirectory,
    databaseUrls: forEveryService(databaseUrl),
    readDatabaseUrl,
    publicUrl: `http://127.0.0.1:${port}`,
    isProduction: false,
    isTerminal: false,
    programOf: (name) => programIn(programs, name),
    restartMillis: 20,
    ...(stripeUrl !== undefined && { stripeUrl })
  }
  const output: Array<string> = []
  const started = yield* startSuite(settings, (name, line) => output.push(`${name} ${line}`))
  const suite = Suite.of({
    urls: urlsFrom(port),
    databaseUrls: forEveryService(databaseUrl),
    owners: yield* makeOwners(forEveryService(databaseUrl)),
    secrets: started.secrets,
    pharmacyUrl: pharmacyAt(port),
    stripeUrl: stripeUrl ?? stripeAt(port),
    schedulingProviderUrl: schedulingProviderAt(port),
    output
  })
  return Context.make(Suite, suite).pipe(Context.add(DataDirectory, dataDirectory))
})

/** Stops the suite before its tests are over. */
export class StopSuite extends Context.Service<StopSuite, Effect.Effect<void>>()("@care/test/harness/Stopping") {}

/** Provides the suite as five processes on a new database, for tests that need real processes. */
export const layerProcesses = Layer.effectContext(
  Effect.gen(function* () {
    const { url } = yield* makeEmptyDatabase
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const suite = yield* Scope.provide(startProcesses(url, yield* temporaryFolder()), scope)
    yield* Effect.addFinalizer(() => checkStatements(forEveryService(url)))
    return Context.add(suite, StopSuite, Scope.close(scope, Exit.void))
  })
)
