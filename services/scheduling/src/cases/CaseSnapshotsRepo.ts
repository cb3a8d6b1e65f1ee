import { CaseSnapshot } from "@care/domain/cases"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const facts = rowsOf(CaseSnapshot)

export const makeCaseSnapshotsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    find: (organizationId: OrganizationId, caseIds: ReadonlyArray<CaseId>) =>
      facts.all(sql`
        SELECT organization_id, case_id, user_id, short_id, title, status, is_archived, is_test, version FROM case_snapshots
        WHERE organization_id = ${organizationId} AND case_id = ANY(${caseIds}::uuid[])
      `),

    /** False, and nothing is changed, when something newer is kept, or the same. */
    keep: (snapshot: CaseSnapshot) =>
      affects(sql`
        INSERT INTO case_snapshots ${sql.insert(snapshot)}
        ON CONFLICT (organization_id, case_id) DO UPDATE
        SET status = excluded.status, is_archived = excluded.is_archived, title = excluded.title,
            version = excluded.version
        WHERE case_snapshots.version < excluded.version
        RETURNING case_id
      `),

    /** Takes the events of a case out of the list, or back into it; those that were cancelled are in none. */
    markEvents: ({ caseId, isArchived, organizationId }: CaseSnapshot) =>
      execute(sql`
        UPDATE calendar_events SET of_archived_case = ${isArchived}
        WHERE organization_id = ${organizationId} AND case_id = ${caseId} AND NOT is_deleted
          AND of_archived_case <> ${isArchived}
      `)
  }
})
