import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { Effect, Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CaseForms } from "./CaseForms.ts"
import { DynamicCases } from "./DynamicCases.ts"
import { Intake } from "./Intake.ts"

const creation = HttpApiBuilder.group(
  CasesApi,
  "intake",
  Effect.fnUntraced(function* (handlers) {
    const intake = yield* Intake
    return handlers.handleAll({
      createCase: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const caseId = yield* intake.create(organizationId, payload, headers["idempotency-key"])
        return { data: { caseId } }
      })
    })
  })
)

const dynamic = HttpApiBuilder.group(
  CasesApi,
  "dynamicCases",
  Effect.fnUntraced(function* (handlers) {
    const cases = yield* DynamicCases
    const forms = yield* CaseForms
    return handlers.handleAll({
      createDynamicCase: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const data = yield* cases.create(organizationId, payload, headers["idempotency-key"])
        return { data }
      }),
      submitCaseForm: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        const data = yield* forms.submit(organizationId, payload, headers["idempotency-key"])
        return { data }
      })
    })
  })
)

export const IntakeHandlers = Layer.merge(creation, dynamic)
