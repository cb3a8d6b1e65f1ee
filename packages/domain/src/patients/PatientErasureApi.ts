import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { UserNotFound } from "../auth/User.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { UserId } from "../Ids.ts"
import { PatientErasure, PatientHasActiveCase, UserIsStaff } from "./PatientErasure.ts"

/** The errors for a user who is unknown, or is not a patient. */
export const patientErrors = [
  problem(UserNotFound, 404, "User not found", ({ userId }) => `No user has the id ${userId}.`),
  problem(
    UserIsStaff,
    422,
    "The user is no patient",
    ({ userId }) => `The user ${userId} is a member of staff: delete them instead.`
  )
] as const

export class PatientErasureApi extends HttpApiGroup.make("patientErasure")
  .add(
    HttpApiEndpoint.post("erase", "/admin/v1/users/:userId/erase", {
      params: { userId: UserId },
      payload: Schema.Struct({ force: Schema.optional(Schema.Boolean) }),
      success: PatientErasure,
      error: [
        ...operatorErrors,
        ...patientErrors,
        problem(
          PatientHasActiveCase,
          409,
          "The patient has an active case",
          ({ userId }) => `The patient ${userId} is being treated: close the case first, or force the erasure.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "Erase a patient")
      .annotate(
        OpenApi.Description,
        "Erase a patient in all services: destroy the encryption keys of the patient's data, and replace names and contact data. This cannot be undone. A patient with an active case is refused (409) unless `force` is true. All cases of the patient are closed. Cases, payments and audit records remain, without their personal contents. The operation is idempotent: after a 5xx its outcome is unknown, so repeat the request."
      )
  )
  .annotate(OpenApi.Title, "Admin: erasure of patients")
  .annotate(OpenApi.Description, "Erase a patient.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
