import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the search of cases is led by (docs/decisions/0041-search-of-cases.md): cases of a state in the order of their
 * creation, those of an organization, of all, and of a provider; cases of an organization by their last change; people of
 * all organizations by email. The index of providers is none of a case that never had one.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    CREATE INDEX cases_listed ON cases (organization_id, is_archived, status, created_at, id)
  `
  yield* sql`CREATE INDEX cases_listed_anywhere ON cases (is_archived, status, created_at, id)`
  yield* sql`
    CREATE INDEX cases_of_provider ON cases (
      assigned_to, organization_id, is_archived, status, created_at, id
    ) WHERE assigned_to IS NOT NULL
  `
  yield* sql`CREATE INDEX cases_changed ON cases (organization_id, updated_at)`
  yield* sql`DROP INDEX people_by_email`
  yield* sql`CREATE INDEX people_by_email ON people (email, organization_id)`
})
