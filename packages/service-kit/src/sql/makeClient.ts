import { PgClient } from "@effect/sql-pg"
import { Effect, Predicate, String as StringCase } from "effect"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import { cachedNames } from "../fast/cachedNames.ts"
import { TestOrganization } from "../time/Time.ts"
import { Lane } from "./Lane.ts"
import type { Pool } from "./makePool.ts"
import { checkedConnection } from "./requireNotReset.ts"

interface Pools {
  readonly requests: Pool
  readonly slowReads: Pool
  readonly background: Pool
  readonly jobs: Pool
}

// PostgreSQL answers ROLLBACK to the COMMIT of a transaction in which a statement failed, also if the failure was caught.
const commit = (connection: SqlConnection.Connection) =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) => {
    if (!Predicate.hasProperty(result, "command") || result.command !== "ROLLBACK") return Effect.void
    const message = "The transaction was rolled back, because a statement in it failed"
    return Effect.fail(
      new SqlError.SqlError({
        reason: new SqlError.UnknownError({ cause: new Error(message), message, operation: "commit" })
      })
    )
  })

/** Makes a SQL client on several pools, which the lane selects. Columns are snake_case in SQL and camelCase in code. */
export const makeClient = (pools: Pools) => {
  const pool = Effect.map(Lane, (lane) => pools[lane])
  return SqlClient.make({
    acquirer: Effect.flatMap(pool, ({ reserve }) => reserve),
    borrower: (f) =>
      Effect.withFiber((fiber) => {
        const { use } = pools[fiber.getRef(Lane)]
        const test = fiber.getRef(TestOrganization)
        return use(test === undefined ? f : (connection) => f(checkedConnection(connection, test)))
      }),
    compiler: PgClient.makeCompiler(cachedNames(StringCase.camelToSnake), false),
    transformRows: Statement.defaultTransforms(cachedNames(StringCase.snakeToCamel), false).array,
    spanAttributes: [["db.system.name", "postgresql"]],
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`
  })
}
