import { PgClient } from "@effect/sql-pg"
import { Config, Effect, Layer, String as StringCase } from "effect"
import { countSetting, databaseUrlSetting, readSettings, secret } from "../config/settings.ts"
import { withAfterCommit } from "./afterCommit.ts"
import { databaseUnreachable } from "./databaseUnreachable.ts"
import { type MigrationTarget, migrate } from "./migrate.ts"

/** Where the tables of a service are, and how many connections it opens to them. */
interface PoolOptions extends Pick<MigrationTarget, "url" | "schema"> {
  readonly maxConnections: number
}

/**
 * The SQL layer of a service on a schema of its own, which has been migrated. Every waiting is bounded (connecting 5 s, a
 * statement 10 s, an idle transaction 15 s); columns are snake_case in SQL and camelCase in code.
 */
export const layerPool = ({ maxConnections, schema, url }: PoolOptions) =>
  PgClient.layerFrom(
    PgClient.make({
      url,
      maxConnections,
      minConnections: 1,
      multiplex: true,
      connectTimeout: "5 seconds",
      applicationName: `care-${schema}`,
      startupParameters: {
        search_path: schema,
        statement_timeout: "10000",
        idle_in_transaction_session_timeout: "15000",
        TimeZone: "UTC"
      },
      transformQueryNames: StringCase.camelToSnake,
      transformResultNames: StringCase.snakeToCamel,
      transformJson: false
    }).pipe(
      Effect.catchCause((cause) => Effect.fail(databaseUnreachable(url, cause))),
      Effect.map(withAfterCommit)
    )
  )

/** The SQL layer of a service at `DATABASE_URL`, with its schema brought up to date. */
export const layerDatabase = (options: Pick<MigrationTarget, "schema" | "migrations">) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const url = yield* secret(
        "DATABASE_URL",
        "the URL of a PostgreSQL 15 or newer, postgresql://user:password@host/database",
        databaseUrlSetting("DATABASE_URL")
      )
      const maxConnections = yield* readSettings(countSetting("DATABASE_CONNECTIONS").pipe(Config.withDefault(20)))
      yield* migrate({ ...options, url })
      return layerPool({ schema: options.schema, url, maxConnections })
    })
  )
