import { OrganizationId } from "@care/domain/ids"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerStoredCases } from "../../../test/storedCases.ts"
import { makeTroublesRepo } from "./TroublesRepo.ts"

const organization = (number: number) => OrganizationId.make(`00000000-0000-4000-8000-00000000000${number}`)

layer(layerStoredCases, { excludeTestServices: true })("the list of troubles", (it) => {
  it.effect("has the organizations at which something is wrong, once, worst first, page by page", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeTroublesRepo
      const createdBefore = new Date("2026-01-02T00:00:00Z")
      const addCases = (number: number, count: number, status: string, createdAt: string, isArchived = false) => sql`
        INSERT INTO cases (
          organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, is_archived, created_at, updated_at
        )
        SELECT ${organization(number)}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', ${status},
               'ASYNC_TEXT_EMAIL', false, false, ${isArchived}, ${createdAt}::timestamptz, now()
        FROM generate_series(1, ${count}::int)
      `
      const long = "2026-01-01T00:00:00Z"
      yield* addCases(1, 1, "OPEN", long)
      yield* addCases(2, 2, "OPEN", long)
      yield* addCases(2, 1, "ASSIGNED", long)
      yield* addCases(2, 1, "IN_PROGRESS", long)
      yield* addCases(2, 1, "OPEN", long, true)
      // Nothing is wrong here.
      yield* addCases(3, 4, "OPEN", "2026-01-03T00:00:00Z")
      yield* addCases(4, 150, "ASSIGNED", long)
      yield* addCases(5, 1, "OPEN", long)
      // A sandbox.
      yield* addCases(7, 5, "OPEN", long)
      yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${organization(7)})`
      yield* addCases(6, 1, "APPROVED", long)
      yield* sql`
        INSERT INTO webhook_endpoints (
          organization_id, id, url, includes_test_cases, is_enabled, disabled_reason, failing_since, secret, created_at, updated_at
        )
        SELECT ${organization(6)}, gen_random_uuid(), '', false, is_enabled, disabled_reason, failing_since::timestamptz, '', now(), now()
        FROM (VALUES
          (true, NULL, ${long}), (false, 'GONE', ${long}), (false, NULL, ${long}), (true, NULL, NULL)
        ) AS endpoint (is_enabled, disabled_reason, failing_since)
      `
      const seen: Array<readonly [string, number]> = []
      let after: Parameters<typeof repo.list>[0]["after"]
      do {
        const rows = yield* repo.list({ after, createdBefore, limit: 2 })
        seen.push(...rows.map(({ organizationId, total }) => [organizationId, total] as const))
        after = rows.at(-1)
      } while (after !== undefined)
      assert.deepStrictEqual(seen, [
        [organization(4), 100],
        [organization(2), 3],
        [organization(6), 2],
        [organization(1), 1],
        [organization(5), 1]
      ])
    })
  )
})
