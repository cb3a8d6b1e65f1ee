import type { UserSummary } from "@care/domain/auth"
import type { Attachment, CaseCalendarEvent, Comment, Order } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import type { CalendarEventOfCase } from "@care/domain/scheduling"
import { Context, Effect, Layer } from "effect"
import { Calendar } from "../calendar/Calendar.ts"
import { Directory } from "../directory/Directory.ts"
import type { DocumentRow } from "../documents/DocumentsRepo.ts"
import { FileContents, type FileFormat, type ShownContents } from "../documents/FileContents.ts"
import { Orders } from "../orders/Orders.ts"
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

/** The parts of a case with the people in them. */
class Parts {
  private readonly people: ReadonlyMap<UserId, UserSummary>

  constructor(people: ReadonlyMap<UserId, UserSummary>) {
    this.people = people
  }

  person(id: UserId): UserSummary {
    const summary = this.people.get(id)
    if (summary === undefined) throw new Error(`auth does not know the user ${id}`)
    return summary
  }

  personOrNull(id: UserId | null): UserSummary | null {
    return id === null ? null : this.person(id)
  }

  attachment({ uploadedBy, ...file }: DocumentRow, contents?: ShownContents): Attachment {
    return { ...file, ...contents, uploadedBy: this.person(uploadedBy) }
  }

  event({ organizerId, participantIds, ...event }: CalendarEventOfCase): CaseCalendarEvent {
    return {
      ...event,
      organizer: this.personOrNull(organizerId),
      participants: participantIds.map((id) => this.person(id))
    }
  }
}

/** A case as it is shown, put together from its parts. */
export class CaseView extends Context.Service<
  CaseView,
  {
    /**
     * However much a case has, it is one call to auth, and one each for what is wanted beside: a statement for orders, a
     * call to scheduling for calendar events. Contents of files are read when the case is answered (`FileContents`).
     */
    readonly show: (row: CaseRow, wanted: Wanted) => Effect.Effect<ReturnType<typeof assemble>>
  }
>()("@care/cases/reading/CaseView") {
  static readonly layer = Layer.effect(
    CaseView,
    Effect.gen(function* () {
      const calendar = yield* Calendar
      const directory = yield* Directory
      const fileContents = yield* FileContents
      const orders = yield* Orders

      const show = Effect.fn("CaseView.show")(function* (row: CaseRow, wanted: Wanted) {
        const { files, id, organizationId } = row
        const [placed, events] = yield* Effect.all(
          [
            wanted.orders ? orders.ofCase(organizationId, id) : Effect.succeed([]),
            wanted.calendarEvents ? calendar.ofCase(organizationId, id) : Effect.succeed([])
          ],
          { concurrency: "unbounded" }
        )
        const [contents, people] = yield* Effect.all(
          [fileContents.show(files, wanted.files), directory.userSummaries(organizationId, peopleOf(row, events))],
          { concurrency: "unbounded" }
        )
        return assemble({ row, orders: placed, events, contents, people })
      })

      return CaseView.of({ show })
    })
  ).pipe(Layer.provide([Calendar.layer, FileContents.layer, Orders.layer]))
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
  const parts = new Parts(people)
  const byComment = Map.groupBy(files, ({ commentId }) => commentId)
  const attached = (commentId: string | null) =>
    (byComment.get(commentId) ?? []).map((file) => parts.attachment(file, contents.get(file.id)))

  const said = comments.map(
    ({ authorId, ...comment }): Comment => ({
      ...comment,
      author: parts.person(authorId),
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
    submitter: parts.person(row.userId),
    assignedTo: parts.personOrNull(row.assignedTo),
    assignedBy: parts.personOrNull(row.assignedBy),
    inProgressAt: row.inProgressAt,
    closedAt: row.closedAt,
    isArchived: row.isArchived,
    comments: said.filter(({ isRestricted }) => !isRestricted),
    notes: said.filter(({ isRestricted }) => isRestricted),
    decisions: decisions.map(({ prescriber, ...decision }) => ({ ...decision, addedBy: prescriber })),
    attachments: attached(null),
    calendarEvents: events.map((event) => parts.event(event)),
    orders
  }
}
