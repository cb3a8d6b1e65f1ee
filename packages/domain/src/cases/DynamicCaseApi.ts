import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { EmailOfStaff, PhoneNumberTaken } from "../auth/User.ts"
import { AddsTo, KeyInBody, TakesFiles } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { coded, failure, unauthorized } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { isAbsent, missingReason, notAnObject, notJson } from "../http/mistakesIn.ts"
import { succeeded } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { KeyInvalid, KeyMissing, mistakesText, RequestInvalid, shownKeyHash } from "../http/RequestErrors.ts"
import { requestExample, requestExamples } from "../http/requestExample.ts"
import { CaseId, FormResponseId } from "../Ids.ts"
import { IntentInUse } from "../payments/errors.ts"
import {
  CreateDynamicCase,
  caseFormExample,
  dynamicCaseExample,
  idBasedExample,
  SubmitCaseForm
} from "./DynamicCase.ts"
import { caseFormDescription, dynamicCaseDescription } from "./dynamicCaseDescription.ts"
import { AnswerRefused, CaseNotValid, FormUnanswered } from "./errors.ts"

const idempotencyConflict = idempotencyConflictAs(coded("IDEMPOTENCY_ERROR"))

const answerRefused = failure(
  AnswerRefused,
  400,
  ({ question, questionId, reason }) => `Question "${question}" (questionId: ${questionId ?? "none"}): ${reason}`,
  "An answer is not valid for the type of its question"
)

// `questions.0.type` becomes `questions[0].type`.
const bracketed = (path: string) => path.replace(/\.(\d+)\./, "[$1].")
// A body with one of these mistakes is not an object, so it lacks the first field.
const noBodyReasons = [notJson, notAnObject]
const missing = (error: RequestInvalid): string => {
  const { path, reason } = error
  const kind = /^questions\.\d+\./.test(path) ? "field" : "param"
  const isNoBody = path === "body" && noBodyReasons.includes(reason)
  const name = isNoBody ? "caseId" : bracketed(path)
  return isNoBody || isAbsent(error)
    ? `The '${name}' ${kind} is required`
    : `The '${name}' ${kind} is not valid: ${reason}`
}

const submitted = succeeded({ data: Schema.Struct({ caseId: CaseId, formResponseId: FormResponseId }) })

export class DynamicCaseApi extends HttpApiGroup.make("dynamicCases")
  .add(
    HttpApiEndpoint.post("createDynamicCase", "/api/v1/dynamic-case", {
      headers: idempotencyHeader,
      payload: CreateDynamicCase,
      success: submitted,
      error: [
        ...keysAs(unauthorized, 401, "Invalid request"),
        failure(
          RequestInvalid,
          400,
          (error) => `Validation failed: ${mistakesText(error.mistakes, ": ")}`,
          "Fields are missing or malformed: `Validation failed: <field>: <reason>; <field>: <reason>`"
        ),
        failure(
          PhoneNumberTaken,
          400,
          "Validation failed: phoneNumber: belongs to another user",
          "Another user of the organization has the phone number"
        ),
        failure(
          EmailOfStaff,
          422,
          "Validation failed: email: belongs to a member of staff of the organization",
          "The email belongs to a member of staff"
        ),
        failure(
          IntentInUse,
          409,
          ({ text }) => text,
          "Another case uses the payment intent, in whatever status it is, or is being created with it",
          new IntentInUse()
        ),
        answerRefused,
        idempotencyConflict,
        ...broken
      ]
    })
      .annotate(TakesFiles, true)
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Create a case with a form")
      .annotate(OpenApi.Transform, requestExamples({ formTitle: dynamicCaseExample, formId: idBasedExample }))
      .annotate(OpenApi.Description, dynamicCaseDescription),
    HttpApiEndpoint.post("submitCaseForm", "/api/v1/customer-dynamic-case-form", {
      headers: idempotencyHeader,
      payload: SubmitCaseForm,
      success: submitted,
      error: [
        failure(
          KeyMissing,
          400,
          ({ isBlank }) => (isBlank ? "Secret key not provided!" : "The 'key' param is required"),
          "The key is missing or blank",
          new KeyMissing({ isBlank: false }),
          new KeyMissing({ isBlank: true })
        ),
        failure(
          KeyInvalid,
          400,
          ({ isDisabled, keyHash }) =>
            isDisabled ? "Partner organization is disabled" : `Organization not found for key hash ${keyHash}`,
          "The key belongs to no organization, or to a disabled one",
          new KeyInvalid({ keyHash: shownKeyHash, isDisabled: false }),
          new KeyInvalid({ keyHash: shownKeyHash, isDisabled: true })
        ),
        failure(
          RequestInvalid,
          400,
          missing,
          "A parameter or a field of a question is missing or not valid",
          RequestInvalid.inPayload("caseId", missingReason),
          RequestInvalid.inPayload("questions.0.type", missingReason)
        ),
        failure(CaseNotValid, 400, "Provided case is not valid", "The organization has no such case"),
        failure(FormUnanswered, 400, "Case Form can't be Submitted.", "No question is answered"),
        answerRefused,
        idempotencyConflict,
        ...broken
      ]
    })
      .annotate(KeyInBody, true)
      .annotate(TakesFiles, true)
      .annotate(OpenApi.Summary, "Submit a form for a case")
      .annotate(OpenApi.Transform, requestExample(caseFormExample))
      .annotate(OpenApi.Description, caseFormDescription)
  )
  .annotate(OpenApi.Title, "Case intake by forms")
  .annotate(
    OpenApi.Description,
    "Create cases with the answers to a form, one of yours or a stored one, and add forms to existing cases."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
