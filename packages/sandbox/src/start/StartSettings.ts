import { Config, Effect, Option } from "effect"
import { StartFailed } from "./StartFailed.ts"

/** What the start command reads from the environment. */
export interface StartSettings {
  readonly port: number
  readonly dataDirectory: string
  readonly databaseUrl: string | undefined
  readonly publicUrl: string
  readonly isProduction: boolean
  readonly isTerminal: boolean
}

/** Offsets from `PORT`: where everything listens. */
export const offsets = { gateway: 0, auth: 1, cases: 2, payments: 3, scheduling: 4, postgres: 20 } as const

const config = Config.all({
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  dataDirectory: Config.NonEmptyString("CARE_DATA_DIR").pipe(Config.withDefault(".data")),
  databaseUrl: Config.option(Config.NonEmptyString("DATABASE_URL")),
  publicUrl: Config.option(Config.NonEmptyString("PUBLIC_URL")),
  environment: Config.String("NODE_ENV").pipe(Config.withDefault("development"))
})

/** Reads the settings; what does not fit becomes a sentence. */
export const startSettings: Effect.Effect<StartSettings, StartFailed> = Effect.gen(function* () {
  const { databaseUrl, dataDirectory, environment, port, publicUrl } = yield* config
  return {
    port,
    dataDirectory,
    databaseUrl: Option.getOrUndefined(databaseUrl),
    publicUrl: Option.getOrElse(publicUrl, () => `http://localhost:${port}`),
    isProduction: environment === "production",
    isTerminal: process.stdout.isTTY === true
  }
}).pipe(
  Effect.mapError(
    (error) => new StartFailed({ message: `The configuration is wrong: ${error.message.replaceAll("\n", " ")}.` })
  )
)
