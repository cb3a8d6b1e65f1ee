import { Effect } from "effect"
import { admin, call } from "./call.ts"
import { inDatabase } from "./database.ts"
import { patientsOf } from "./erasures.ts"
import type { Clinic } from "./fixtures.ts"

/** Returns the body of a refusal. */
export const failed = (error: string) => ({ success: false, error })

/** The message about an answer that cannot be stored. */
export const notStorable =
  "must be JSON of at most 10000 values, at most 32 deep, without NUL or unpaired surrogate characters"

/** Creates a case with a form. */
export const createDynamicCase = (clinic: Clinic, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  call("POST", "/api/v1/dynamic-case", { key: clinic.key, body, headers })

/** Adds a form to a case. */
export const submitCaseForm = (clinic: Clinic, body: unknown) =>
  call("POST", "/api/v1/customer-dynamic-case-form", { key: clinic.key, body })

/** Returns a case from the back office. */
export const adminCase = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)

/** Counts the stored cases, forms and patients of a clinic. */
export const countOf = (clinic: Clinic) =>
  Effect.gen(function* () {
    const ofCases = yield* inDatabase(
      "cases",
      (sql) => sql<{ cases: number; forms: number }>`
        SELECT (SELECT count(*)::int FROM cases.cases WHERE organization_id = ${clinic.organizationId}) AS cases,
               (SELECT count(*)::int FROM cases.forms WHERE organization_id = ${clinic.organizationId}) AS forms
      `
    )
    const patients = yield* patientsOf(clinic)
    return ofCases.map((counts) => ({ ...counts, patients: patients.length }))
  })
