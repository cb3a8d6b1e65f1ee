import { activeStatuses, CaseStatus } from "@care/domain/cases"
import { CaseId } from "@care/domain/ids"
import { execute, finds, type PatientRef, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const ids = rowsOf(Schema.Struct({ id: CaseId }))

/** SQL of all that a patient has, whichever case it is of. */
export const makePatientsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = ({ organizationId, userId }: PatientRef) => sql`
    FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId}
  `
  const ofCases = (patient: PatientRef) => sql`
    organization_id = ${patient.organizationId} AND case_id IN (SELECT id ${cases(patient)})
  `

  return {
    hasActive: (patient: PatientRef) =>
      finds(sql`SELECT id ${cases(patient)} AND NOT is_archived AND status = ANY(${activeStatuses}::text[]) LIMIT 1`),

    caseIds: (patient: PatientRef) => ids.all(sql`SELECT id ${cases(patient)} ORDER BY created_at, id`),

    openCaseIds: (patient: PatientRef) =>
      ids.all(sql`
        SELECT id ${cases(patient)} AND NOT is_archived AND status = ANY(${CaseStatus.literals}::text[])
        ORDER BY created_at, id
      `),

    /** By what a parcel is followed somebody is found. */
    forgetParcels: (patient: PatientRef) =>
      execute(sql`
        UPDATE orders SET tracking_id = NULL, tracking_url = NULL
        WHERE ${ofCases(patient)} AND (tracking_id IS NOT NULL OR tracking_url IS NOT NULL)
      `)
  }
})
