import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreeBase, offsets, type RunningSuite, type StartSettings, startSuite } from "@care/sandbox"
import { Context, Effect, Layer } from "effect"
import { recordingStatements, statementsOfServices, unwalled } from "./statements.ts"

/** A folder of its own that is gone when the scope closes. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const made = mkdtempSync(join(tmpdir(), "care-suite-"))
    chmodSync(made, 0o755)
    return made
  }),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

// Whatever a test did: every statement on what organizations own names the organization.
const checkWalls = (databaseUrl: string) =>
  Effect.flatMap(Effect.orDie(statementsOfServices(databaseUrl)), (statements) => {
    const holes = unwalled(statements)
    return holes.length === 0
      ? Effect.void
      : Effect.die(new Error(`Statements that name no organization:\n${holes.join("\n")}`))
  })

/**
 * The whole suite, started as the start command does: five processes and a PostgreSQL of its own. At its end the statements
 * that the database saw are held against the walls between organizations.
 */
export class Suite extends Context.Service<
  Suite,
  RunningSuite & {
    readonly settings: StartSettings
    /** What the processes wrote so far. */
    readonly output: ReadonlyArray<string>
  }
>()("@care/test/harness/Suite") {
  /** The suite on a given database, or on one of its own. */
  static readonly make = Effect.fnUntraced(function* (databaseUrl?: string) {
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
    const suite = yield* startSuite(settings, (name, line) => output.push(`${name} ${line}`))
    if (databaseUrl === undefined) yield* Effect.addFinalizer(() => checkWalls(suite.databaseUrl))
    return Suite.of({ ...suite, settings, output })
  })

  static readonly layer = Layer.effect(Suite, Suite.make())
}
