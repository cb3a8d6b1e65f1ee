import { isDeepStrictEqual } from "node:util"
import { Effect } from "effect"
import { inDatabase, jobsDone } from "./database.ts"
import type { Clinic } from "./fixtures.ts"
import { until } from "./until.ts"

const staffIn = (service: "auth" | "cases", table: "users" | "people", { organizationId }: Clinic) =>
  inDatabase(
    service,
    (sql) => sql<{ id: string; version: number }>`
      SELECT id, version FROM ${sql(`${service}.${table}`)}
      WHERE organization_id = ${organizationId} AND role <> 'USER' ORDER BY id
    `
  )

/**
 * Waits until cases has the staff of a clinic as auth has it, and no provider is still given what waited before. When a change of a member
 * is answered, a sweep of the waiting cases may have to begin yet.
 */
export const untilStaffKnown = Effect.fnUntraced(function* (clinic: Clinic) {
  const inBoth = Effect.all([staffIn("auth", "users", clinic), staffIn("cases", "people", clinic)])
  yield* until(inBoth, ([stored, known]) => isDeepStrictEqual(stored, known))
  yield* jobsDone("cases", "assignment-sweep", clinic)
})
