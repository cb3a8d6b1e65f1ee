import { peers, type ServiceName } from "@care/domain/peers"
import { BootError, databaseUrl, optionalSecret, readSettings } from "@care/service-kit"
import { Effect, Record } from "effect"

const common = optionalSecret(
  databaseUrl,
  "MIGRATIONS_URL",
  "the database for `pnpm migrate`, with a role that owns the schemas"
)

const ofServices = Record.map(peers, (_, service: ServiceName) =>
  optionalSecret(
    databaseUrl,
    `MIGRATIONS_URL_${service.toUpperCase()}`,
    `the same for ${service}, if it has a database or a role of its own instead of \`MIGRATIONS_URL\``
  )
)

export const migrationSettings = [common, ...Object.values(ofServices)]

/** Reads the URL with which the schema of a service is migrated, and the variable that it is from. */
export const migrationsUrl = Effect.fnUntraced(function* (service: ServiceName) {
  const own = ofServices[service]
  for (const setting of [own, common]) {
    const url = yield* readSettings(setting)
    if (url !== undefined) return { url, urlVariable: setting.doc.name }
  }
  return yield* new BootError({
    message: `MIGRATIONS_URL is missing: set it to the URL of the database, postgresql://user:password@host/database, with a role that owns the schemas (or ${own.doc.name}, for ${service} alone).`
  })
})
