import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { problem } from "../http/Problem.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, DocumentId, UserId } from "../Ids.ts"
import { caseErrors } from "./BackOfficeApi.ts"
import { fileAnswers } from "./DocumentLinksApi.ts"
import { DocumentNotFound } from "./errors.ts"

/**
 * The patient of a case as the care team reads them, with what they told about their health. Unknown fields are empty; `dob` is `YYYY-MM-DD`.
 * It names its fields, because the console would load all that the schema of profiles checks.
 */
export const CasePatient = Schema.Struct({
  id: UserId,
  email: Schema.String,
  firstName: Schema.String,
  lastName: Schema.String,
  dob: Schema.String,
  gender: Schema.String,
  phoneNumber: Schema.String,
  address: Schema.String,
  address2: Schema.NullOr(Schema.String),
  city: Schema.String,
  state: Schema.String,
  country: Schema.String,
  postalCode: Schema.String,
  allergies: Schema.String,
  currentMedications: Schema.String,
  healthConditions: Schema.String,
  languagePreferences: Schema.Array(Schema.String),
  updatedAt: Timestamp
}).annotate({ identifier: "CasePatient" })
export type CasePatient = typeof CasePatient.Type

export class CaseChartApi extends HttpApiGroup.make("caseChart")
  .add(
    HttpApiEndpoint.get("patient", "/admin/v1/cases/:caseId/patient", {
      params: { caseId: CaseId },
      success: Schema.Struct({ data: Schema.NullOr(CasePatient) }),
      error: caseErrors
    })
      .annotate(OpenApi.Summary, "Read the patient of a case")
      .annotate(
        OpenApi.Description,
        "Read the birth date, contact, allergies, medication and conditions of the patient of a case. data is null for a patient who was removed."
      ),
    HttpApiEndpoint.get("file", "/admin/v1/cases/:caseId/files/:documentId", {
      params: { caseId: CaseId, documentId: DocumentId },
      success: fileAnswers,
      error: [
        ...caseErrors,
        problem(DocumentNotFound, 404, "File not found", ({ documentId }) => `The case has no file ${documentId}.`)
      ]
    })
      .annotate(OpenApi.Summary, "Read a file of a case")
      .annotate(
        OpenApi.Description,
        "Returns the contents of a file of a case, of an answer, a comment or an attachment, with its content type, for download."
      )
  )
  .annotate(OpenApi.Title, "Admin: charts")
  .annotate(OpenApi.Description, "The patients and the files of cases.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
