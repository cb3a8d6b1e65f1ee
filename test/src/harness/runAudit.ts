import { runCare } from "@care/cli"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { inDatabase } from "./database.ts"
import { Suite } from "./Suite.ts"

/** Runs `care audit` on the suite, and returns its output. */
export const runAudit = Effect.fnUntraced(function* (...parameters: ReadonlyArray<string>) {
  const { secrets, urls } = yield* Suite
  const [lines, errors]: [Array<string>, Array<string>] = [[], []]
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: (line: string) => lines.push(line),
    error: (line: string) => errors.push(line)
  })
  const settings = { CARE_URL: urls.gateway, ADMIN_TOKEN: secrets.ADMIN_TOKEN, PHI_KEY: secrets.PHI_KEY }
  const outcome = yield* runCare(["audit", ...parameters]).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(settings)),
    Effect.provideService(Console.Console, capturing),
    Effect.match({ onFailure: () => false, onSuccess: () => true })
  )
  return { isGood: outcome, out: lines.join("\n"), errors: errors.join("\n") }
})

/** Changes what cases stored, as a superuser with the protecting triggers disabled. */
export const tamper = <A, E>(change: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  inDatabase("cases", (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        // A Citus cluster's workers get the next setting, too.
        yield* sql`SET LOCAL citus.propagate_set_commands = 'local'`
        yield* sql`SET LOCAL session_replication_role = replica`
        return yield* change(sql)
      })
    )
  )
