import { resolve } from "node:path"
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
  /** The folder of the services; the repository's own when absent. */
  readonly servicesDirectory?: string
  /** More settings of the embedded PostgreSQL, for tests. */
  readonly postgresSettings?: Readonly<Record<string, string>>
}

/** Offsets from `PORT`: where everything listens. */
export const offsets = { gateway: 0, auth: 1, cases: 2, payments: 3, scheduling: 4, postgres: 20 } as const

/** The highest `PORT` that leaves room for all offsets. */
export const highestPort = 65_535 - Math.max(...Object.values(offsets))

// An empty variable, as compose files leave it, counts as absent.
const optional = (name: string) =>
  Config.option(Config.String(name)).pipe(Config.map((value) => Option.filter(value, (text) => text.trim() !== "")))

const config = Config.all({
  port: Config.Port("PORT").pipe(Config.withDefault(8080)),
  dataDirectory: optional("CARE_DATA_DIR"),
  databaseUrl: optional("DATABASE_URL"),
  publicUrl: optional("PUBLIC_URL"),
  environment: Config.String("NODE_ENV").pipe(Config.withDefault("development"))
})

const wrong = (reason: string) => new StartFailed({ message: `The configuration is wrong: ${reason}.` })

/** Reads the settings; what does not fit becomes a sentence. */
export const startSettings: Effect.Effect<StartSettings, StartFailed> = Effect.gen(function* () {
  const { databaseUrl, dataDirectory, environment, port, publicUrl } = yield* config
  if (port < 1 || port > highestPort) {
    return yield* wrong(`PORT has to be from 1 to ${highestPort}, because the suite also uses the ports above it`)
  }
  return {
    port,
    dataDirectory: resolve(Option.getOrElse(dataDirectory, () => ".data")),
    databaseUrl: Option.getOrUndefined(databaseUrl),
    publicUrl: Option.getOrElse(publicUrl, () => `http://localhost:${port}`),
    isProduction: environment === "production",
    isTerminal: process.stdout.isTTY === true
  }
}).pipe(Effect.mapError((error) => (error instanceof StartFailed ? error : wrong(error.message.replaceAll("\n", " ")))))
