import { type Migration, OutsideTransaction } from "@care/service-kit"
import { PgClient } from "@effect/sql-pg"
import { Effect, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"

/** Returns the SQL that a migration sends, to a database that answers every query with no rows. */
export const statementsOf = Effect.fnUntraced(function* (migration: Migration) {
  const statements: Array<string> = []
  const record = (text: string) =>
    Effect.sync(() => {
      statements.push(text)
      return []
    })
  const sql = yield* SqlClient.make({
    acquirer: Effect.succeed({
      execute: record,
      executeRaw: record,
      executeStream: () => Stream.die("A migration streams nothing."),
      executeValues: record,
      executeValuesUnprepared: record,
      executeUnprepared: record
    }),
    compiler: PgClient.makeCompiler(),
    spanAttributes: []
  })
  const change = migration instanceof OutsideTransaction ? migration.change : migration
  yield* Effect.provideService(change, SqlClient.SqlClient, sql)
  return statements
}, Effect.provide(Reactivity.layer))
