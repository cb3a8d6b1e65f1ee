import { parseArgs } from "node:util"
import { migrations as auth } from "@care/auth/migrations"
import { migrations as cases } from "@care/cases/migrations"
import { peers } from "@care/domain/peers"
import { migrations as payments } from "@care/payments/migrations"
import { migrations as scheduling } from "@care/scheduling/migrations"
import { BootError, migrate, migrationStatements } from "@care/service-kit"
import { Effect, Record } from "effect"
import { migrationsUrl } from "./migrationsUrls.ts"

const migrations = { auth, cases, payments, scheduling }
const services = Record.keys(peers)

const usage = `Usage: pnpm migrate [--service ${services.join("|")}] [--dry-run]`

const readArguments = Effect.fnUntraced(function* (parameters: ReadonlyArray<string>) {
  const { values } = yield* Effect.try({
    try: () =>
      parseArgs({ args: [...parameters], options: { service: { type: "string" }, "dry-run": { type: "boolean" } } }),
    catch: () => new BootError({ message: `${parameters.join(" ")} is not understood. ${usage}` })
  })
  const chosen = services.filter((service) => values.service === undefined || values.service === service)
  if (chosen.length === 0) return yield* new BootError({ message: `There is no service ${values.service}. ${usage}` })
  return { chosen, isDryRun: values["dry-run"] === true }
})

/**
 * Brings the schemas of all services up to date, or of one (`--service`). With `--dry-run` it writes the SQL that it would run instead, as
 * a script for psql. All settings are read before anything is changed.
 */
export const runMigrate = Effect.fnUntraced(function* (
  parameters: ReadonlyArray<string>,
  write: (text: string) => void
) {
  const { chosen, isDryRun } = yield* readArguments(parameters)
  const targets = yield* Effect.forEach(chosen, (schema) =>
    Effect.map(migrationsUrl(schema), (at) => ({ ...at, schema, migrations: migrations[schema] }))
  )
  for (const target of targets) {
    if (isDryRun) {
      const statements = yield* migrationStatements(target)
      write(`-- The schema ${target.schema}${statements.length === 0 ? " is up to date." : ""}`)
      if (statements.length > 0) write(`SET search_path = ${target.schema};`)
      for (const statement of statements) write(`${statement};`)
    } else {
      yield* migrate(target)
      write(`The schema ${target.schema} is up to date.`)
    }
  }
})
