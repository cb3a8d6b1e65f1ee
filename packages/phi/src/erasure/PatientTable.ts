import type { OrganizationId, UserId } from "@care/domain/ids"
import type { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { SealedRow } from "../sealed/sealedRow.ts"

export interface PatientRef {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** A table with data of patients: which rows belong to a patient, their order in an export, and their sealed columns. */
export interface PatientTable {
  readonly table: string
  readonly row?: Pick<SealedRow<Schema.Top, Schema.Top>, "open" | "visit">
  readonly of: (sql: SqlClient.SqlClient, patient: PatientRef) => Statement.Fragment
  /** Columns that identify a row of a patient, and never change. Rows are paged in their order. */
  readonly key: ReadonlyArray<string>
  /** Columns that are never exported: hashes of secrets. */
  readonly hidden?: ReadonlyArray<string>
}

/** Selects the rows with the patient's id in a column. */
export const ofUser =
  (column = "user_id"): PatientTable["of"] =>
  (sql, { userId }) =>
    sql`${sql(column)} = ${userId}`
