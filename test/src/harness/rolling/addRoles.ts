import type { ServiceName } from "@care/domain/peers"
import { PgClient } from "@effect/sql-pg"
import { Effect, Record, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Makes a second role for each service, as docs/upgrade.md says for a new password, and returns their URLs. PostgreSQL tells who is
 * connected by them.
 */
export const addRoles = (ownerUrl: string, urls: Readonly<Record<ServiceName, string>>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* Effect.all(
      Record.map(urls, (url) =>
        Effect.gen(function* () {
          const changed = new URL(url)
          const role = changed.username
          changed.username = `${role}_2`
          yield* sql`
            CREATE ROLE ${sql(changed.username)} LOGIN PASSWORD ${sql.literal(`'${changed.password}'`)} IN ROLE ${sql(role)}
          `
          yield* sql`ALTER ROLE ${sql(changed.username)} SET role = ${sql.literal(`'${role}'`)}`
          return changed.toString()
        })
      )
    )
  }).pipe(Effect.provide(PgClient.layer({ url: Redacted.make(ownerUrl), maxConnections: 1 })))
