import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin } from "./call.ts"
import { inDatabase } from "./database.ts"
import type { Clinic } from "./fixtures.ts"

/** Reads the stored patients of an organization, oldest first. */
export const patientsOf = ({ organizationId }: Clinic) =>
  inDatabase(
    "auth",
    (sql) => sql<{ id: string; email: string; phone_number: string | null }>`
      SELECT id, email, phone_number FROM auth.users
      WHERE organization_id = ${organizationId} AND role = 'USER' ORDER BY created_at, id
    `
  )

/** Returns the tables that contain a text, from the result of `openEverything`. */
export const tablesWith = (tables: Readonly<Record<string, string>>, text: string) =>
  Object.keys(tables).filter((table) => tables[table]?.includes(text) === true)

/** Requests the erasure of a patient. */
export const erase = (userId: string, force = false) => admin("POST", `/users/${userId}/erase`, { force })

/** Reads the id of the patient of a case. */
export const patientOf = (clinic: Clinic, caseId: string) =>
  Effect.map(
    inDatabase(
      "cases",
      (sql) => sql<{ user_id: string }>`
        SELECT user_id FROM cases.cases WHERE organization_id = ${clinic.organizationId} AND id = ${caseId}
      `
    ),
    ([row]) => row?.user_id ?? assert.fail("There is no such case")
  )
