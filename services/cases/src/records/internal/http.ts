import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { CalendarRecords, CasePayments, Cases, Providers } from "../../case/index.ts"
import { Products } from "../../catalogue/index.ts"
import { SuspendedOrganizations } from "../../webhooks/index.ts"
import { InactivePatients } from "../patients/InactivePatients.ts"

export const CaseFactsHandlers = HttpApiBuilder.group(
  CasesApi,
  "caseFacts",
  Effect.fnUntraced(function* (handlers) {
    const calendar = yield* CalendarRecords
    const cases = yield* Cases
    const organizations = yield* SuspendedOrganizations
    const payments = yield* CasePayments
    const products = yield* Products
    const providers = yield* Providers
    const patients = yield* InactivePatients
    return handlers.handleAll({
      eraseInactive: ({ params }) => patients.erase(params),
      calendarEventChanged: ({ payload }) => calendar.changed(payload),
      organizationChanged: ({ payload }) => organizations.organizationChanged(payload),
      owner: ({ params }) => cases.whose(params.caseId),
      follow: ({ params }) => cases.follow(params.organizationId, params.caseId),
      followNewest: ({ params, payload }) => cases.followNewest(params.organizationId, payload.email),
      product: ({ params }) =>
        Effect.map(Effect.isSuccess(products.names(params.organizationId, [params.productId])), (isKnown) => ({
          isKnown
        })),
      paymentChanged: ({ payload }) => payments.changed(payload),
      personChanged: ({ payload }) => providers.personChanged(payload),
      profileLock: ({ params }) =>
        Effect.map(cases.locksProfile(params.organizationId, params.userId), (isLocked) => ({ isLocked }))
    })
  })
)
