import { activeStatuses, CaseStatus } from "@care/domain/cases"
import { CaseId } from "@care/domain/ids"
import type { PatientRef } from "@care/phi"
import { affects, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const ids = rowsOf(Schema.Struct({ id: CaseId }))

/** SQL of the cases of a patient. */
export const makePatientCasesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = ({ organizationId, userId }: PatientRef) => sql`
    FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId}
  `

  return {
    /** Returns whether a case of the patient is active. It locks their cases until the transaction ends. */
    hasActive: (patient: PatientRef) =>
      affects(sql`
        WITH held AS (SELECT id, is_archived, status ${cases(patient)} ORDER BY id FOR SHARE)
        SELECT id FROM held WHERE NOT is_archived AND status = ANY(${activeStatuses}::text[])
      `),

    caseIds: (patient: PatientRef) => ids.all(sql`SELECT id ${cases(patient)} ORDER BY created_at, id`),

    openCaseIds: (patient: PatientRef) =>
      ids.all(sql`
        SELECT id ${cases(patient)} AND NOT is_archived AND status = ANY(${CaseStatus.literals}::text[])
        ORDER BY created_at, id
      `)
  }
})
