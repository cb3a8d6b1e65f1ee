import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer, String as StringCase } from "effect"
import { readSettings, secret } from "../config/settings.ts"
import { databaseUnreachable } from "./databaseUnreachable.ts"
import { type MigrationTarget, migrate } from "./migrate.ts"

/**
 * The SQL layer of a service on a migrated schema of its own. Every waiting is bounded (connecting 5 s, a statement 10 s,
 * an idle transaction 15 s); columns are snake_case in SQL and camelCase in code.
 */
export const layerDatabaseAt = (target: MigrationTarget & { readonly maxConnections: number }) =>
  Layer.unwrap(
    Effect.as(
      migrate(target),
      PgClient.layerFrom(
        PgClient.make({
          url: target.url,
          maxConnections: target.maxConnections,
          minConnections: 1,
          multiplex: true,
          connectTimeout: "5 seconds",
          applicationName: `care-${target.schema}`,
          startupParameters: {
            search_path: target.schema,
            statement_timeout: "10000",
            idle_in_transaction_session_timeout: "15000",
            TimeZone: "UTC"
          },
          transformQueryNames: StringCase.camelToSnake,
          transformResultNames: StringCase.snakeToCamel,
          transformJson: false
        }).pipe(Effect.catchCause((cause) => Effect.fail(databaseUnreachable(target.url, cause))))
      )
    )
  )

/** The SQL layer of a service at `DATABASE_URL`. */
export const layerDatabase = (options: Pick<MigrationTarget, "schema" | "migrations">) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* secret(
        "DATABASE_URL",
        "the URL of a PostgreSQL 15 or newer, postgresql://user:password@host/database"
      )
      const maxConnections = yield* readSettings(Config.Int("DATABASE_CONNECTIONS").pipe(Config.withDefault(20)))
      return layerDatabaseAt({ ...options, url, maxConnections })
    })
  )
