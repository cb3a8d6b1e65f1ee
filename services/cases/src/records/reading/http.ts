import { CasesApi } from "@care/domain/cases"
import { Partner } from "@care/domain/http"
import { asSlowRead } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { FileContents } from "../../documents/index.ts"
import { CaseSearch } from "../search/CaseSearch.ts"
import { writeCase } from "./fast/writeCase.ts"
import { OwnEntries } from "./OwnEntries.ts"
import { Reading } from "./Reading.ts"

export const ReadingHandlers = HttpApiBuilder.group(
  CasesApi,
  "reading",
  Effect.fnUntraced(function* (handlers) {
    const reading = yield* Reading
    const contents = yield* FileContents
    const entries = yield* OwnEntries
    const search = yield* CaseSearch
    return handlers.handleAll({
      caseDetail: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const caseDetail = yield* reading.detail(organizationId, query)
        return yield* contents.answer(organizationId, writeCase(caseDetail))
      }),
      latestCaseId: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        const id = yield* reading.latestCaseId(organizationId, query)
        return { case: { id } }
      }),
      cases: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        return yield* asSlowRead(search.listOwn(organizationId, query))
      }),
      orders: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* Partner
        return yield* entries.orders(organizationId, params.caseId, query)
      }),
      order: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Partner
        return { data: yield* entries.order(organizationId, params.caseId, params.orderId) }
      }),
      escalations: Effect.fnUntraced(function* ({ params, query }) {
        const { organizationId } = yield* Partner
        return yield* entries.escalations(organizationId, params.caseId, query)
      }),
      escalation: Effect.fnUntraced(function* ({ params }) {
        const { organizationId } = yield* Partner
        return { data: yield* entries.escalation(organizationId, params.caseId, params.escalationId) }
      })
    })
  })
)
