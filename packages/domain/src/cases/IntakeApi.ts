import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EmailOfStaff, PhoneNumberTaken } from "../auth/User.ts"
import { Access } from "../http/annotations.ts"
import { broken, errorBody, FailureBody, MessageBody } from "../http/ErrorBody.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors, PartnerAccess } from "../http/middleware.ts"
import { IdempotencyConflict, KeyInvalid, KeyMissing, RequestInvalid } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { CaseId } from "../Ids.ts"
import { CreateCase, createCaseExample } from "./CreateCase.ts"
import { CaseConflict, FieldUnacceptable, PromoCodeNotFound } from "./errors.ts"

const unauthorized = () => ({ success: false as const, message: "Unauthorized" })
const unacceptable = (error: string) => ({ success: false as const, message: "Validation failed", error })

/** Partner API: how a case begins. */
export class IntakeApi extends HttpApiGroup.make("intake")
  .add(
    HttpApiEndpoint.post("createCase", "/api/v1/cases", {
      headers: idempotencyHeader,
      payload: CreateCase,
      success: Schema.Struct({ success: Schema.Literal(true), data: Schema.Struct({ caseId: CaseId }) }),
      error: [
        errorBody(KeyMissing, 401, MessageBody, unauthorized, "Key missing or invalid"),
        errorBody(KeyInvalid, 401, MessageBody, unauthorized, "Key missing or invalid"),
        errorBody(
          RequestInvalid,
          400,
          FailureBody,
          (error) => ({ success: false, error: error.text }),
          "A body that is not JSON, or lacks or mistypes fields: `<path>, <reason>; <path>, <reason>`"
        ),
        errorBody(
          PromoCodeNotFound,
          400,
          FailureBody,
          ({ code }) => ({ success: false, error: `Promo code ${code} not found or inactive` }),
          "A promo code that is not known or not active"
        ),
        errorBody(
          CaseConflict,
          409,
          MessageBody,
          () => ({
            success: false,
            message: "Case conflict",
            error: "The patient has an open case. Set forceCreate to create another one."
          }),
          "The patient has an open case and `forceCreate` is not set"
        ),
        errorBody(
          IdempotencyConflict,
          409,
          MessageBody,
          ({ reason }) => ({ success: false, message: "Case conflict", error: reason, code: "IDEMPOTENCY_ERROR" }),
          "The idempotency key was used with another body, for a case that is archived by now, or by a request that is still in progress"
        ),
        errorBody(
          FieldUnacceptable,
          422,
          MessageBody,
          (error) => unacceptable(error.text),
          "Fields are well-formed but not acceptable, such as an unknown product or a date that is no date"
        ),
        errorBody(
          EmailOfStaff,
          422,
          MessageBody,
          () => unacceptable("user.email, belongs to a member of staff of the organization"),
          "The email is not one of a patient"
        ),
        errorBody(
          PhoneNumberTaken,
          422,
          MessageBody,
          () => unacceptable("user.phoneNumber, belongs to another user"),
          "The phone number is another user's"
        ),
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "Create a case")
      .annotate(OpenApi.Transform, requestExample(createCaseExample))
      .annotate(OpenApi.Description, "Creates a case with its patient, its products and their forms in one request.")
  )
  .annotate(OpenApi.Title, "Case intake")
  .annotate(
    OpenApi.Description,
    "Where a case begins: the patient, the products and their answered forms in one request."
  )
  .annotate(Access, "partner")
  .middleware(DocumentedErrors)
  .middleware(PartnerAccess) {}
