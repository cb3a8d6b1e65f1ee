import { randomBytes } from "node:crypto"
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { readSettings, secretText } from "@care/service-kit/boot"
import { StartFailed } from "@care/stand-ins"
import { Config, Effect, Option, Record, Redacted, Schema } from "effect"
import { thrownMessage } from "../thrownMessage.ts"
import { makeDataDirectory } from "./dataDirectory.ts"

const ofThirdParties = {
  PHARMACY_API_TOKEN: () => randomBytes(32).toString("base64url"),
  PHARMACY_WEBHOOK_SECRET: () => `whsec_${randomBytes(32).toString("base64")}`,
  SCHEDULING_API_TOKEN: () => randomBytes(32).toString("base64url"),
  SCHEDULING_WEBHOOK_SECRET: () => randomBytes(32).toString("hex"),
  STRIPE_SECRET_KEY: () => `sk_test_${randomBytes(32).toString("hex")}`,
  STRIPE_WEBHOOK_SECRET: () => `whsec_${randomBytes(32).toString("hex")}`
}

const makers = {
  ADMIN_TOKEN: () => randomBytes(32).toString("base64url"),
  INTERNAL_SECRET: () => randomBytes(32).toString("base64url"),
  JWT_SECRET: () => randomBytes(64).toString("base64url"),
  // Each cell has an id of its own, so that one can accept the keys of another.
  PHI_KEY: () => `k${randomBytes(3).toString("hex")}:${randomBytes(32).toString("base64")}`,
  ...ofThirdParties,
  TEST_PHARMACY_API_TOKEN: ofThirdParties.PHARMACY_API_TOKEN,
  TEST_PHARMACY_WEBHOOK_SECRET: ofThirdParties.PHARMACY_WEBHOOK_SECRET,
  TEST_SCHEDULING_API_TOKEN: ofThirdParties.SCHEDULING_API_TOKEN,
  TEST_SCHEDULING_WEBHOOK_SECRET: ofThirdParties.SCHEDULING_WEBHOOK_SECRET,
  TEST_STRIPE_SECRET_KEY: ofThirdParties.STRIPE_SECRET_KEY,
  TEST_STRIPE_WEBHOOK_SECRET: ofThirdParties.STRIPE_WEBHOOK_SECRET
} as const

// Optional secrets are checked where their other settings are read.
const isOptional = (name: string): boolean => /^(PHARMACY|SCHEDULING|TEST)_/.test(name)

/** The name of a credential at a third party. For sandboxes it begins with `TEST_`. */
export type ThirdPartySecret = keyof typeof ofThirdParties

/** The suite's secrets, and the password of the embedded PostgreSQL. */
export type Secrets = Readonly<Record<keyof typeof makers | "POSTGRES_PASSWORD", string>>

const names = Record.keys(makers)
const decodeStored = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))

/** The file of the generated secrets. */
export const secretsFile = (dataDirectory: string): string => join(dataDirectory, "secrets.json")

/** The file with the URLs of all cells' databases, with their passwords, if there are several cells. */
export const cellDatabasesFile = (dataDirectory: string): string => join(dataDirectory, "cell-databases.json")

type Stored = Readonly<Record<string, string>>

// They are never replaced: without the old PHI_KEY the encrypted data is lost.
const read = (file: string): Effect.Effect<Stored, StartFailed> =>
  Effect.try(() => (existsSync(file) ? readFileSync(file, "utf8") : "{}")).pipe(
    Effect.flatMap((text) => Effect.fromOption(decodeStored(text))),
    Effect.mapError(
      () =>
        new StartFailed({
          message: `${file} is not a valid file of secrets: repair it, or set CARE_DATA_DIR to another folder.`
        })
    )
  )

/** Writes JSON to a file that only its owner can read. */
export const writeSecretFile = (file: string, content: object): Effect.Effect<void, StartFailed> =>
  Effect.try({
    try: () => {
      const complete = `${file}.${process.pid}`
      writeFileSync(complete, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
      renameSync(complete, file)
    },
    catch: (error) =>
      new StartFailed({
        message: `${file} cannot be written (${thrownMessage(error)}): set CARE_DATA_DIR to a folder that can be written to.`
      })
  })

/**
 * Reads every secret from the environment or from its file, or else, never in production, from those generated at the first start and
 * stored in the data directory. An empty variable counts as missing.
 */
export const readSecrets = (dataDirectory: string, isProduction: boolean): Effect.Effect<Secrets, StartFailed> =>
  Effect.gen(function* () {
    const provided: Record<string, string> = {}
    for (const name of names) {
      const value = yield* readSettings(Config.option(secretText(name))).pipe(
        Effect.mapError(({ message }) => new StartFailed({ message }))
      )
      const text = Option.isSome(value) ? Redacted.value(value.value).trim() : ""
      if (text !== "") provided[name] = text
    }
    const required = names.filter((name) => !isOptional(name))
    const missing = required.find((name) => provided[name] === undefined)
    if (isProduction && missing !== undefined) {
      return yield* new StartFailed({
        message: `${missing} is missing: in production every secret has to be set (${required.join(", ")}).`
      })
    }

    yield* makeDataDirectory(dataDirectory)
    const file = secretsFile(dataDirectory)
    const fileSecrets: Stored = yield* read(file)
    const stored: Record<string, string> = { ...fileSecrets }
    for (const name of isProduction ? [] : names) if (provided[name] === undefined) stored[name] ??= makers[name]()
    stored["POSTGRES_PASSWORD"] ??= randomBytes(24).toString("base64url")
    if (Object.keys(stored).length > Object.keys(fileSecrets).length) yield* writeSecretFile(file, stored)

    return {
      ...Record.map(makers, (_, name) => provided[name] ?? stored[name] ?? ""),
      POSTGRES_PASSWORD: stored["POSTGRES_PASSWORD"]
    }
  })
