import type { UserSummary } from "@care/domain/auth"
import type { Attachment, CaseCalendarEvent, Comment, Order } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import { type CalendarEventOfCase, SchedulingApi } from "@care/domain/scheduling"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import type { DocumentRow } from "../documents/DocumentsRepo.ts"
import { FileContents, type FileFormat, type ShownContents } from "../documents/FileContents.ts"
import { Orders } from "../orders/Orders.ts"
import { People } from "../people/People.ts"
import type { CaseRow } from "./ReadingRepo.ts"

/** What of a case is wanted beside what always comes. */
export interface Wanted {
  readonly files: FileFormat
  readonly calendarEvents: boolean
  readonly orders: boolean
}

const peopleOf = (
  { assignedBy, assignedTo, comments, files, userId }: CaseRow,
  events: ReadonlyArray<CalendarEventOfCase>
): ReadonlyArray<UserId> =>
  [
    userId,
    assignedTo,
    assignedBy,
    ...comments.map(({ authorId }) => authorId),
    ...files.map(({ uploadedBy }) => uploadedBy),
    ...events.flatMap(({ organizerId, participantIds }) => [organizerId, ...participantIds])
  ].filter((id) => id !== null)

/** A case as it is shown, put together from its parts. */
export class CaseView extends Context.Service<
  CaseView,
  {
    /**
     * However much a case has, it is a statement for its orders, and a call to scheduling for its calendar events, each if
     * it is wanted. Contents of files are read when the case is answered (`FileContents`).
     */
    readonly show: (row: CaseRow, wanted: Wanted) => Effect.Effect<ReturnType<typeof assemble>>
  }
>()("@care/cases/reading/CaseView") {
  static readonly layer = Layer.effect(
    CaseView,
    Effect.gen(function* () {
      const scheduling = yield* peer(SchedulingApi, "calendarEvents")
      const people = yield* People
      const fileContents = yield* FileContents
      const orders = yield* Orders

      return CaseView.of({
        show: Effect.fn("CaseView.show")(function* (row, wanted) {
          const { files, id, organizationId } = row
          const [placed, events] = yield* Effect.all(
            [
              wanted.orders ? orders.ofCase(organizationId, id) : Effect.succeed([]),
              wanted.calendarEvents
                ? Effect.orDie(scheduling.ofCase({ params: { organizationId, caseId: id } }))
                : Effect.succeed([])
            ],
            { concurrency: "unbounded" }
          )
          const [contents, shown] = yield* Effect.all(
            [fileContents.show(files, wanted.files), people.shown(organizationId, peopleOf(row, events), row.people)],
            { concurrency: "unbounded" }
          )
          return assemble({ row, orders: placed, events, contents, people: shown })
        })
      })
    })
  ).pipe(Layer.provide([FileContents.layer, Orders.layer]))
}

interface Loaded {
  readonly row: CaseRow
  readonly orders: ReadonlyArray<Order>
  readonly events: ReadonlyArray<CalendarEventOfCase>
  readonly contents: ReadonlyMap<DocumentRow["id"], ShownContents>
  readonly people: ReadonlyMap<UserId, UserSummary>
}

const assemble = ({ contents, events, orders, people, row }: Loaded) => {
  const { comments, decisions, files } = row
  const person = (id: UserId): UserSummary => {
    const summary = people.get(id)
    if (summary === undefined) throw new Error(`auth does not know the user ${id}`)
    return summary
  }
  const personOrNull = (id: UserId | null) => (id === null ? null : person(id))
  const byComment = Map.groupBy(files, ({ commentId }) => commentId)
  const attached = (commentId: string | null) =>
    (byComment.get(commentId) ?? []).map(
      ({ uploadedBy, ...file }): Attachment => ({ ...file, ...contents.get(file.id), uploadedBy: person(uploadedBy) })
    )

  const said = comments.map(
    ({ authorId, ...comment }): Comment => ({
      ...comment,
      author: person(authorId),
      attachments: attached(comment.id)
    })
  )
  return {
    id: row.id,
    shortId: row.shortId,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    title: row.title,
    status: row.status,
    type: row.type,
    submitter: person(row.userId),
    assignedTo: personOrNull(row.assignedTo),
    assignedBy: personOrNull(row.assignedBy),
    inProgressAt: row.inProgressAt,
    closedAt: row.closedAt,
    isArchived: row.isArchived,
    comments: said.filter(({ isRestricted }) => !isRestricted),
    notes: said.filter(({ isRestricted }) => isRestricted),
    decisions: decisions.map(({ prescriber, ...decision }) => ({ ...decision, addedBy: prescriber })),
    attachments: attached(null),
    calendarEvents: events.map(
      ({ organizerId, participantIds, ...event }): CaseCalendarEvent => ({
        ...event,
        organizer: personOrNull(organizerId),
        participants: participantIds.map(person)
      })
    ),
    orders
  }
}
