import { Audit } from "@care/audit"
import type { DataKind } from "@care/domain/audit"
import { CasesApi } from "@care/domain/cases"
import type { PagePosition, PageQuery } from "@care/domain/http"
import type { CaseId } from "@care/domain/ids"
import { newest, pageBy } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Activity, CaseCalendarEvents, Cases, Decisions, type NewestOfCase } from "../../case/index.ts"
import { Comments } from "../../comments/index.ts"
import { Attachments } from "../../documents/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { FormResponses } from "../../intake/index.ts"
import { Orders } from "../../orders/index.ts"

interface ListRequest {
  readonly params: { readonly caseId: CaseId }
  readonly query: PageQuery
}

const position = ({ createdAt, id }: PagePosition): PagePosition => ({ createdAt, id })

export const CaseListsHandlers = HttpApiBuilder.group(
  CasesApi,
  "caseLists",
  Effect.fnUntraced(function* (handlers) {
    const activity = yield* Activity
    const audit = yield* Audit
    const attachments = yield* Attachments
    const calendarEvents = yield* CaseCalendarEvents
    const cases = yield* Cases
    const comments = yield* Comments
    const decisions = yield* Decisions
    const escalations = yield* Escalations
    const formResponses = yield* FormResponses
    const orders = yield* Orders

    const page = <Item>(kind: DataKind, newestItems: NewestOfCase<Item>, positionOf: (item: Item) => PagePosition) =>
      Effect.fnUntraced(function* ({ params: { caseId }, query: { cursor = newest, limit } }: ListRequest) {
        const { organizationId, userId } = yield* cases.findOwner(caseId)
        const items = yield* newestItems(organizationId, caseId, cursor, limit + 1)
        yield* audit.read({ organizationId, action: "CASE_READ", caseId, userId, kinds: [kind] })
        return pageBy(items, limit, positionOf)
      })

    return handlers.handleAll({
      comments: (request) => {
        const { isRestricted } = request.query
        const kinds = isRestricted === undefined ? [false, true] : [isRestricted === "true"]
        return page("COMMENTS", comments.newest(kinds), position)(request)
      },
      decisions: page("DECISIONS", decisions.newest, position),
      attachments: page("DOCUMENTS", attachments.newest, ({ id, uploadedAt }) => ({ createdAt: uploadedAt, id })),
      orders: page("ORDERS", orders.newest, position),
      escalations: page("ESCALATIONS", escalations.newest, position),
      formResponses: page("FORMS", formResponses.newest, position),
      calendarEvents: page("APPOINTMENTS", calendarEvents.newest, ({ id, startDateTime }) => ({
        createdAt: startDateTime,
        id
      })),
      activity: Effect.fnUntraced(function* ({ params: { caseId }, query: { cursor = 0, limit } }) {
        const { organizationId, userId } = yield* cases.findOwner(caseId)
        const entries = yield* activity.after(organizationId, caseId, cursor, limit + 1)
        yield* audit.read({ organizationId, action: "CASE_READ", caseId, userId, kinds: ["ACTIVITY"] })
        return pageBy(entries, limit, ({ sequence }) => sequence)
      })
    })
  })
)
