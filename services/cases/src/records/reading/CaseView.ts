import type { UserSummary } from "@care/domain/auth"
import { maxListed, type Order } from "@care/domain/cases"
import type { UserId } from "@care/domain/ids"
import type { CalendarEventOfCase } from "@care/domain/scheduling"
import { newest } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { CaseCalendarEvents, calendarEventOf, decisionOf, People, peopleOfEvents, personIn } from "../../case/index.ts"
import { commentOf, peopleOfComments } from "../../comments/index.ts"
import {
  attachmentsOf,
  type DocumentRow,
  FileContents,
  type FileFormat,
  type ShownContents
} from "../../documents/index.ts"
import { Orders } from "../../orders/index.ts"
import type { CaseWithLists } from "./ReadingRepo.ts"

/** The optional parts of a case. */
export interface CaseParts {
  readonly files: FileFormat | "none"
  readonly calendarEvents: boolean
  readonly orders: boolean
}

const peopleOf = (
  { assignedBy, assignedTo, comments, files, notes, userId }: CaseWithLists,
  events: ReadonlyArray<CalendarEventOfCase>
): ReadonlyArray<UserId> =>
  [
    userId,
    assignedTo,
    assignedBy,
    ...peopleOfComments(comments),
    ...peopleOfComments(notes),
    ...files.map(({ uploadedBy }) => uploadedBy),
    ...peopleOfEvents(events)
  ].filter((id) => id !== null)

// Includes the files of comments. The oldest come first, because the contents in a response are limited.
const allFiles = ({ comments, files, notes }: CaseWithLists): ReadonlyArray<DocumentRow> =>
  [...files, ...comments.flatMap((comment) => comment.files), ...notes.flatMap((note) => note.files)].sort(
    (a, b) => a.uploadedAt.getTime() - b.uploadedAt.getTime()
  )

/** Shows cases. */
export class CaseView extends Context.Service<
  CaseView,
  {
    /**
     * Returns a case as responses show it. Orders take one statement, and calendar events one call to scheduling. `FileContents.answer`
     * reads the contents of files.
     */
    readonly show: (row: CaseWithLists, parts: CaseParts) => Effect.Effect<ReturnType<typeof assemble>>
  }
>()("@care/cases/reading/CaseView") {
  static readonly layer = Layer.effect(
    CaseView,
    Effect.gen(function* () {
      const calendarEvents = yield* CaseCalendarEvents
      const people = yield* People
      const fileContents = yield* FileContents
      const orders = yield* Orders

      return CaseView.of({
        show: Effect.fnUntraced(function* (row, parts) {
          const { id, organizationId } = row
          const loadLists = Effect.all(
            {
              orders: parts.orders ? orders.newest(organizationId, id, newest, maxListed) : Effect.succeed([]),
              events: parts.calendarEvents
                ? calendarEvents.ofCase(organizationId, id, newest, maxListed)
                : Effect.succeed([])
            },
            { concurrency: "unbounded" }
          )
          // Most reads need neither, and are spared two fibers.
          const lists = parts.orders || parts.calendarEvents ? yield* loadLists : noLists
          return assemble({
            row,
            ...lists,
            contents: parts.files === "none" ? noContents : yield* fileContents.show(allFiles(row), parts.files),
            people: yield* people.summaries(organizationId, peopleOf(row, lists.events), row.people)
          })
        })
      })
    })
  ).pipe(Layer.provide([CaseCalendarEvents.layer, FileContents.layer, Orders.layer]))
}

interface LoadedCase {
  readonly row: CaseWithLists
  readonly orders: ReadonlyArray<Order>
  readonly events: ReadonlyArray<CalendarEventOfCase>
  readonly contents: ReadonlyMap<DocumentRow["id"], ShownContents>
  readonly people: ReadonlyMap<UserId, UserSummary>
}

const noLists: Pick<LoadedCase, "orders" | "events"> = { orders: [], events: [] }
const noContents: LoadedCase["contents"] = new Map()

const assemble = ({ contents, events, orders, people, row }: LoadedCase) => {
  const person = personIn(people)
  const personOrNull = (id: UserId | null) => (id === null ? null : person(id))
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
    comments: row.comments.map((comment) => commentOf(comment, person, contents)).toReversed(),
    notes: row.notes.map((note) => commentOf(note, person, contents)).toReversed(),
    decisions: row.decisions.map(decisionOf).toReversed(),
    attachments: attachmentsOf(row.files, person, contents).toReversed(),
    calendarEvents: events.map((event) => calendarEventOf(event, person)).toReversed(),
    orders: orders.toReversed()
  }
}
