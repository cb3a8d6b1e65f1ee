import type { BreakGlass } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { erasedText, type OpenedRow, type PatientKey, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute, inScope } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An access to a case by breaking the glass. */
export const BreakGlassRow = sealedRow("break_glass", ["organizationId", "id"], {
  organizationId: OrganizationId,
  id: Schema.String,
  caseId: CaseId,
  openedFor: UserId,
  reason: sealed(Schema.String, erasedText),
  createdAt: Schema.Date,
  expiresAt: Schema.Date
})
export type BreakGlassRow = OpenedRow<typeof BreakGlassRow>

/** Returns an access as responses show it. */
export const breakGlassOf = ({ openedFor, ...access }: BreakGlassRow): BreakGlass => ({ ...access, userId: openedFor })

export const makeBreakGlassRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const accesses = yield* sealedRowsOf(BreakGlassRow)
  return {
    insert: (key: PatientKey, access: BreakGlassRow) =>
      execute(sql`INSERT INTO break_glass ${sql.insert(accesses.seal(key, access))}`),

    /** Returns accesses of an organization or of all, newest first. */
    newest: (organizationId: OrganizationId | undefined, before: PagePosition, limit: number) =>
      accesses.all(sql`
        SELECT organization_id, id, case_id, opened_for, reason, created_at, expires_at FROM break_glass
        WHERE ${inScope(sql, organizationId)} AND (created_at, id) < (${before.createdAt}, ${before.id})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
