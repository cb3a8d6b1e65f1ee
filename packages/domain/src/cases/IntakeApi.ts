import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { EmailOfStaff, PhoneNumberTaken } from "../auth/User.ts"
import { AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs, rateLimited } from "../http/commonErrors.ts"
import { message, messageOf } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { succeeded } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { requestExamples } from "../http/requestExample.ts"
import { CaseId } from "../Ids.ts"
import { IntentInUse } from "../payments/errors.ts"
import { PromoCodeNotFound } from "../payments/PromoCode.ts"
import { CreateCase } from "./CreateCase.ts"
import { createCaseDescription } from "./createCaseDescription.ts"
import { abandonedCaseExample, createCaseExample } from "./createCaseExample.ts"
import { CaseConflict, FieldUnacceptable } from "./errors.ts"

const invalid = messageOf("Invalid request")
const unacceptable = messageOf("Validation failed")

export class IntakeApi extends HttpApiGroup.make("intake")
  .add(
    HttpApiEndpoint.post("createCase", "/api/v1/cases", {
      headers: idempotencyHeader,
      payload: CreateCase,
      success: succeeded({ data: Schema.Struct({ caseId: CaseId }) }),
      error: [
        ...keysAs(message, 401, "Unauthorized"),
        mistakesAs(
          invalid,
          "The body is not JSON, or fields are missing or malformed: `<path>, <reason>; <path>, <reason>`"
        ),
        invalid(
          PromoCodeNotFound,
          400,
          ({ code }) => `Promo code ${code} not found or inactive`,
          "A promo code is unknown or not active",
          new PromoCodeNotFound({ code: "SPRING20", isKnown: false })
        ),
        messageOf("Case conflict")(
          CaseConflict,
          409,
          "The patient has an open case. Set forceCreate to create another one.",
          "The patient has an open case and `forceCreate` is not set"
        ),
        messageOf("Case conflict")(
          IntentInUse,
          409,
          ({ text }) => text,
          "Another case uses the payment intent, in whatever status it is, or is being created with it. Create a new payment intent for each attempt",
          new IntentInUse()
        ),
        idempotencyConflictAs(
          messageOf("Case conflict", "IDEMPOTENCY_ERROR"),
          "The idempotency key was used with another body, for a case that is archived now, or by a request that is still in progress"
        ),
        unacceptable(
          FieldUnacceptable,
          422,
          ({ text }) => text,
          "Fields are well-formed but not valid, such as an unknown product or a date that does not exist"
        ),
        unacceptable(
          EmailOfStaff,
          422,
          "user.email, belongs to a member of staff of the organization",
          "The email belongs to a member of staff"
        ),
        unacceptable(
          PhoneNumberTaken,
          422,
          "user.phoneNumber, belongs to another user",
          "Another user of the organization has the phone number"
        ),
        rateLimited,
        ...broken
      ]
    })
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Create a case")
      .annotate(OpenApi.Transform, requestExamples({ OPEN: createCaseExample, ABANDONED: abandonedCaseExample }))
      .annotate(OpenApi.Description, createCaseDescription)
  )
  .annotate(OpenApi.Title, "Case intake")
  .annotate(OpenApi.Description, "Create a case: the patient, the products and their answered forms in one request.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
