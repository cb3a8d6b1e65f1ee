import { findFreeBase, offsets, type StartSettings, startSuite } from "@care/sandbox"
import { Context, Effect, Layer } from "effect"
import { Suite, urlsFrom } from "./Suite.ts"
import { checkWalls, recordingStatements } from "./statements.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

/** Where the start command keeps the suite's secrets. */
export class DataDirectory extends Context.Service<DataDirectory, string>()("@care/test/harness/DataDirectory") {}

/** The suite as the start command starts it: five processes, on a given database or a PostgreSQL of its own. */
export const startProcesses = Effect.fnUntraced(function* (databaseUrl?: string) {
  const dataDirectory = yield* temporaryFolder
  const port = yield* findFreeBase(Object.values(offsets))
  const settings: StartSettings = {
    port,
    host: "127.0.0.1",
    dataDirectory,
    databaseUrl,
    publicUrl: `http://127.0.0.1:${port}`,
    isProduction: false,
    isTerminal: false,
    postgresSettings: recordingStatements
  }
  const output: Array<string> = []
  const started = yield* startSuite(settings, (name, line) => output.push(`${name} ${line}`))
  if (databaseUrl === undefined) yield* Effect.addFinalizer(() => checkWalls(started.databaseUrl))
  const suite = Suite.of({ urls: urlsFrom(port), databaseUrl: started.databaseUrl, secrets: started.secrets, output })
  return Context.make(Suite, suite).pipe(Context.add(DataDirectory, dataDirectory))
})

/** The suite as five processes, for tests of what only processes do. */
export const layerProcesses = Layer.effectContext(startProcesses())
