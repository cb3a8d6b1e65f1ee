import { programIn } from "@care/build"
import { findFreeBase, offsets, type StartSettings, startSuite } from "@care/sandbox"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { builtPrograms } from "./builtPrograms.ts"
import { makeOwners } from "./makeOwners.ts"
import { pharmacyAt, Suite, schedulingProviderAt, stripeAt, urlsFrom } from "./Suite.ts"
import { checkWalls } from "./statements.ts"

/** Where the start command keeps the suite's secrets. */
export class DataDirectory extends Context.Service<DataDirectory, string>()("@care/test/harness/DataDirectory") {}

/**
 * The suite as the start command starts it on a database, with the secrets of a folder, and with the Stripe of another suite if one
 * is named: five processes. They run what production
 * runs, which takes a third of the processor time to start of what is developed (that is started in `start.system.test.ts`).
 */
export const startProcesses = Effect.fnUntraced(function* (
  databaseUrl: string,
  dataDirectory: string,
  stripeUrl?: string
) {
  const programs = yield* builtPrograms
  const port = yield* findFreeBase(Object.values(offsets))
  const settings: StartSettings = {
    port,
    host: "127.0.0.1",
    dataDirectory,
    databaseUrl,
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
    databaseUrl,
    owners: yield* makeOwners(databaseUrl),
    secrets: started.secrets,
    pharmacyUrl: pharmacyAt(port),
    stripeUrl: stripeUrl ?? stripeAt(port),
    schedulingProviderUrl: schedulingProviderAt(port),
    output
  })
  return Context.make(Suite, suite).pipe(Context.add(DataDirectory, dataDirectory))
})

/** Stops the suite before its tests are over, for what only a stop brings to an end. */
export class Stopping extends Context.Service<Stopping, Effect.Effect<void>>()("@care/test/harness/Stopping") {}

/** The suite as five processes on a database of its own, for tests of what only processes do. */
export const layerProcesses = Layer.effectContext(
  Effect.gen(function* () {
    const { url } = yield* makeEmptyDatabase
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const suite = yield* Scope.provide(startProcesses(url, yield* temporaryFolder()), scope)
    yield* Effect.addFinalizer(() => checkWalls(url))
    return Context.add(suite, Stopping, Scope.close(scope, Exit.void))
  })
)
