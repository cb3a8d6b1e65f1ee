import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors } from "../http/Problem.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { patientErrors } from "./PatientErasureApi.ts"

/** A patient's rows in one service, decrypted, by table. */
const PatientData = Schema.Record(Schema.String, Schema.Array(Schema.Json))

/** A patient's rows in all services, by table. Documents contain their files in base64. */
const PatientExport = Schema.Struct({
  exportedAt: Timestamp,
  organizationId: OrganizationId,
  userId: UserId,
  profile: PatientData,
  treatment: PatientData,
  payments: PatientData,
  appointments: PatientData
}).annotate({ identifier: "PatientExport" })

export class PatientExportApi extends HttpApiGroup.make("patientExport")
  .add(
    HttpApiEndpoint.get("export", "/admin/v1/users/:userId/export", {
      params: { userId: UserId },
      success: PatientExport,
      error: [...operatorErrors, ...patientErrors]
    })
      .annotate(OpenApi.Summary, "Export a patient")
      .annotate(
        OpenApi.Description,
        "Return everything that all services store about a patient, decrypted, with the contents of documents in base64. The response is streamed. If an error occurs after its start, the connection is closed and the JSON is incomplete."
      )
  )
  .annotate(OpenApi.Title, "Admin: export of patients")
  .annotate(OpenApi.Description, "Export the data of a patient as one file.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
