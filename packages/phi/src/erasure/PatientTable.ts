import type { OrganizationId, UserId } from "@care/domain/ids"
import type { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { SealedRow } from "../sealed/sealedRow.ts"

export interface PatientRef {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** A table that keeps something of patients: which rows of it are a patient's, in which order they are told, and what of them is sealed. */
export interface PatientTable {
  readonly table: string
  readonly row?: Pick<SealedRow<Schema.Top, Schema.Top>, "open" | "visit">
  readonly of: (sql: SqlClient.SqlClient, patient: PatientRef) => Statement.Fragment
  /** Columns that tell the rows of a patient apart, and never change: in their order rows are read, page by page. */
  readonly key: ReadonlyArray<string>
  /** Columns that are told to nobody: hashes of secrets. */
  readonly hidden?: ReadonlyArray<string>
}

/** The rows that name the patient in a column. */
export const ofUser =
  (column = "user_id"): PatientTable["of"] =>
  (sql, { userId }) =>
    sql`${sql(column)} = ${userId}`
