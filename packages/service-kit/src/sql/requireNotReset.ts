import { Data, Effect } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"
import { type Sandbox, TestOrganization } from "../time/Time.ts"

/** A sandbox was reset since work for it began, or is being reset, so that the work writes nothing. */
export class SandboxReset extends Data.TaggedError("SandboxReset") {
  override get message() {
    return "The sandbox was reset meanwhile"
  }
}

/** The header by which a service tells another one that its call is in vain, because the sandbox was reset. */
export const sandboxResetHeader = "x-care-sandbox-reset"

type Rows<E> = (text: string, params: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<unknown>, E>

// A reset waits for the lock, so that what follows in the transaction is stored before it, and removed by it. Other work shares the lock.
const check = Effect.fnUntraced(function* <E>({ organizationId, resets }: Sandbox, query: Rows<E>) {
  const rows = yield* query(
    "SELECT 1 FROM test_organizations WHERE organization_id = $1 AND resets = $2 AND NOT is_resetting FOR KEY SHARE",
    [organizationId, resets]
  )
  if (rows.length === 0) return yield* Effect.die(new SandboxReset())
})

/** Dies with `SandboxReset` in a transaction of work for a sandbox that was reset since it began. */
export const requireNotReset = (sql: SqlClient.SqlClient) =>
  Effect.flatMap(TestOrganization, (test) =>
    test === undefined ? Effect.void : check(test, (text, params) => sql.unsafe(text, [...params]))
  )

const changes = /\b(?:INSERT|UPDATE|DELETE|MERGE)\b/i

/** Makes a connection on which each change outside of a transaction is checked in the same way. Reads need no check. */
export const checkedConnection = (connection: SqlConnection.Connection, test: Sandbox): SqlConnection.Connection => {
  const control = (command: string) => connection.executeRaw(command, [])
  const checked = <A, E>(text: string, run: Effect.Effect<A, E>) =>
    changes.test(text)
      ? Effect.uninterruptibleMask((restore) =>
          control("BEGIN").pipe(
            Effect.andThen(
              restore(
                Effect.andThen(
                  check(test, (query, params) => connection.execute(query, params, undefined)),
                  run
                )
              ).pipe(Effect.onError(() => Effect.ignore(control("ROLLBACK"))))
            ),
            Effect.tap(() => control("COMMIT"))
          )
        )
      : run
  return {
    execute: (text, params, transform) => checked(text, connection.execute(text, params, transform)),
    executeUnprepared: (text, params, transform) =>
      checked(text, connection.executeUnprepared(text, params, transform)),
    executeRaw: (text, params) => checked(text, connection.executeRaw(text, params)),
    executeValues: (text, params) => checked(text, connection.executeValues(text, params)),
    executeValuesUnprepared: (text, params) => checked(text, connection.executeValuesUnprepared(text, params)),
    executeStream: (text, params, transform) => connection.executeStream(text, params, transform)
  }
}
