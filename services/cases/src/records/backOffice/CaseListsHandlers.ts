import { Audit } from "@care/audit"
import type { DataKind } from "@care/domain/audit"
import { CasesApi } from "@care/domain/cases"
import type { PagePosition, PageQuery } from "@care/domain/http"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { currentStaff, newest, pageBy } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import {
  Activity,
  answersRefused,
  CaseCalendarEvents,
  Cases,
  Decisions,
  makeMayReadAnswers,
  type NewestOfCase
} from "../../case/index.ts"
import { Comments } from "../../comments/index.ts"
import { Attachments } from "../../documents/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { FormResponses } from "../../intake/index.ts"
import { Orders } from "../../orders/index.ts"
import { Timeline } from "../timeline/Timeline.ts"

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
    const mayReadAnswers = yield* makeMayReadAnswers
    const timeline = yield* Timeline

    const recordRead = (
      organizationId: OrganizationId,
      caseId: CaseId,
      { glassBrokenUntil, userId }: { readonly glassBrokenUntil: Date | null; readonly userId: UserId },
      kind: DataKind
    ) => {
      const kinds = glassBrokenUntil === null ? [kind] : [kind, "BREAK_GLASS" as const]
      return audit.read({ organizationId, action: "CASE_READ", caseId, userId, kinds })
    }

    const page = <Item>(kind: DataKind, newestItems: NewestOfCase<Item>, positionOf: (item: Item) => PagePosition) =>
      Effect.fnUntraced(function* ({ params: { caseId }, query: { cursor = newest, limit } }: ListRequest) {
        const { organizationId, ...owner } = yield* cases.findOwner(caseId)
        const items = yield* newestItems(organizationId, caseId, cursor, limit + 1)
        yield* recordRead(organizationId, caseId, owner, kind)
        return pageBy(items, limit, positionOf)
      })

    // The answers to forms, and files, which may be answers.
    const pageOfAnswers = <Item>(...options: Parameters<typeof page<Item>>) => {
      const read = page(...options)
      return Effect.fnUntraced(function* (request: ListRequest) {
        const { organizationId } = yield* cases.findOwner(request.params.caseId)
        if (yield* mayReadAnswers(organizationId)) return yield* read(request)
        return yield* answersRefused()
      })
    }

    return handlers.handleAll({
      comments: Effect.fnUntraced(function* (request) {
        const { isRestricted } = request.query
        const requested = isRestricted === undefined ? [false, true] : [isRestricted === "true"]
        // Internal notes stay with the care team.
        const isOfCareTeam = (yield* currentStaff)?.role !== "THIRD_PARTY_ADMIN"
        const kinds = requested.filter((isNote) => !isNote || isOfCareTeam)
        return yield* page("COMMENTS", comments.newest(kinds), position)(request)
      }),
      decisions: page("DECISIONS", decisions.newest, position),
      attachments: pageOfAnswers("DOCUMENTS", attachments.newest, ({ id, uploadedAt }) => ({
        createdAt: uploadedAt,
        id
      })),
      orders: page("ORDERS", orders.newest, position),
      escalations: page("ESCALATIONS", escalations.newest, position),
      formResponses: pageOfAnswers("FORMS", formResponses.newest, position),
      calendarEvents: page("APPOINTMENTS", calendarEvents.newest, ({ id, startDateTime }) => ({
        createdAt: startDateTime,
        id
      })),
      timeline: ({ params, query }) => timeline.page(params.caseId, query),
      activity: Effect.fnUntraced(function* ({ params: { caseId }, query: { cursor = 0, limit } }) {
        const { organizationId, ...owner } = yield* cases.findOwner(caseId)
        const entries = yield* activity.after(organizationId, caseId, cursor, limit + 1)
        yield* recordRead(organizationId, caseId, owner, "ACTIVITY")
        return pageBy(entries, limit, ({ sequence }) => sequence)
      })
    })
  })
)
