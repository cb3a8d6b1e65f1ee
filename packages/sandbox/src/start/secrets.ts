import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Config, Effect, Option, Redacted, Schema } from "effect"
import { StartFailed } from "./StartFailed.ts"

const makers = {
  ADMIN_TOKEN: () => randomBytes(32).toString("base64url"),
  INTERNAL_SECRET: () => randomBytes(32).toString("base64url"),
  JWT_SECRET: () => randomBytes(64).toString("base64url"),
  PHI_KEY: () => `k1:${randomBytes(32).toString("base64")}`
} as const

/** The names of the suite's secrets. */
export type SecretName = keyof typeof makers

/** The suite's secrets, and the password of the embedded PostgreSQL. */
export type Secrets = Readonly<Record<SecretName | "POSTGRES_PASSWORD", string>>

const names: ReadonlyArray<SecretName> = ["ADMIN_TOKEN", "INTERNAL_SECRET", "JWT_SECRET", "PHI_KEY"]
const decodeStored = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

/** Where the secrets that were made up are kept. */
export const secretsFile = (dataDirectory: string): string => join(dataDirectory, "secrets.json")

/**
 * Every secret from the environment; otherwise, but never in production, the one that was made up at the first start and
 * kept in the data directory.
 */
export const readSecrets = (dataDirectory: string, isProduction: boolean): Effect.Effect<Secrets, StartFailed> =>
  Effect.gen(function* () {
    const given = yield* Effect.forEach(names, (name) => Config.option(Config.Redacted(name)).pipe(Effect.orDie))
    const fromEnvironment = new Map(
      names.flatMap((name, index) => {
        const value = given[index]
        return value !== undefined && Option.isSome(value) ? [[name, Redacted.value(value.value)]] : []
      })
    )
    const missing = names.find((name) => !fromEnvironment.has(name))
    if (isProduction && missing !== undefined) {
      return yield* new StartFailed({
        message: `${missing} is missing: in production every secret has to be set (${names.join(", ")}).`
      })
    }

    const file = secretsFile(dataDirectory)
    const kept = existsSync(file) ? Option.getOrElse(decodeStored(readFileSync(file, "utf8")), () => ({})) : {}
    const stored: Record<string, string> = { ...kept }
    for (const name of names) if (!fromEnvironment.has(name)) stored[name] ??= makers[name]()
    stored["POSTGRES_PASSWORD"] ??= randomBytes(24).toString("base64url")
    mkdirSync(dataDirectory, { recursive: true })
    writeFileSync(file, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 })

    const secretOf = (name: SecretName) => fromEnvironment.get(name) ?? stored[name] ?? ""
    return {
      ADMIN_TOKEN: secretOf("ADMIN_TOKEN"),
      INTERNAL_SECRET: secretOf("INTERNAL_SECRET"),
      JWT_SECRET: secretOf("JWT_SECRET"),
      PHI_KEY: secretOf("PHI_KEY"),
      POSTGRES_PASSWORD: stored["POSTGRES_PASSWORD"]
    }
  })
