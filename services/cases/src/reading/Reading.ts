import {
  AdminCase,
  Attachment,
  CaseDetail,
  type CaseDetailQuery,
  CaseForbidden,
  CaseId,
  CaseNotFound,
  Comment,
  CustomerMissing,
  Decision,
  givenPhoneNumber,
  givenText,
  type OrganizationId,
  type UserId
} from "@care/domain"
import { PhiCipher } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { Directory } from "../directory/Directory.ts"
import { Documents } from "../documents/Documents.ts"
import { FileContents, type FileFormat } from "../documents/FileContents.ts"
import { type CaseRow, type DecisionRow, ReadingRepo } from "./ReadingRepo.ts"

/** How a customer is named: by email or, for lack of it, by phone number. */
export interface Customer {
  readonly email?: string | undefined
  readonly phoneNumber?: string | undefined
}

// All parts come decoded from the repository and from auth; to check them again would cost every read.
const unchecked = { disableChecks: true }

const decodeMedicines = Schema.decodeUnknownSync(Schema.fromJsonString(Decision.fields.medInfo))
const decodeCaseId = Schema.decodeUnknownOption(CaseId)

/** Reading cases: for their partner, and for the back office. */
export class Reading extends Context.Service<
  Reading,
  {
    readonly detail: (
      organizationId: OrganizationId,
      query: CaseDetailQuery
    ) => Effect.Effect<CaseDetail, CustomerMissing | CaseForbidden | CaseNotFound>
    /** The newest case of a customer in the organization. */
    readonly latestCaseId: (
      organizationId: OrganizationId,
      customer: Customer
    ) => Effect.Effect<CaseId, CustomerMissing | CaseNotFound>
    readonly adminCase: (id: CaseId) => Effect.Effect<AdminCase, CaseNotFound>
  }
>()("@care/cases/reading/Reading") {
  static readonly layer = Layer.effect(
    Reading,
    Effect.gen(function* () {
      const repo = yield* ReadingRepo
      const directory = yield* Directory
      const cipher = yield* PhiCipher
      const documents = yield* Documents
      const contentsOf = yield* FileContents

      const newestOf = Effect.fnUntraced(function* (organizationId: OrganizationId, customer: Customer) {
        const email = givenText(customer.email)?.toLowerCase()
        const phoneNumber = givenPhoneNumber(customer.phoneNumber)
        if (email === undefined && phoneNumber === undefined) return yield* new CustomerMissing()
        const userId = yield* directory.findPatient(organizationId, email === undefined ? { phoneNumber } : { email })
        const found = userId === null ? Option.none() : yield* repo.findNewest(organizationId, userId)
        return Option.isSome(found) ? found.value : yield* new CaseNotFound()
      })

      const ownById = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: string) {
        const id = decodeCaseId(caseId)
        const found = Option.isNone(id) ? Option.none() : yield* repo.findById(id.value)
        if (Option.isNone(found)) return yield* new CaseNotFound()
        if (found.value.organizationId !== organizationId) return yield* new CaseForbidden({ caseId: found.value.id })
        return found.value
      })

      const decision = ({ decisionText, medInfo, ...row }: typeof DecisionRow.Type) =>
        new Decision(
          { ...row, decisionText: cipher.open(decisionText), medInfo: decodeMedicines(cipher.open(medInfo)) },
          unchecked
        )

      // Whatever a case has, it is four statements here (five with contents of files) and one call.
      const shown = Effect.fnUntraced(function* (row: CaseRow, wanted: FileFormat) {
        const { assignedBy, assignedTo, organizationId, userId } = row
        const [said, decided, files] = yield* Effect.all(
          [
            repo.comments(organizationId, row.id),
            repo.decisions(organizationId, row.id),
            documents.ofCase(organizationId, row.id)
          ],
          { concurrency: "unbounded" }
        )
        const contents = yield* contentsOf.show(organizationId, files, wanted)
        const people = yield* directory.userSummaries(
          organizationId,
          [
            userId,
            assignedTo,
            assignedBy,
            ...said.map(({ authorId }) => authorId),
            ...files.map(({ uploadedBy }) => uploadedBy)
          ].filter((id) => id !== null)
        )
        const person = (id: UserId) => {
          const summary = people.get(id)
          return summary === undefined
            ? Effect.die(new Error(`auth does not know the user ${id}`))
            : Effect.succeed(summary)
        }
        const attached = Effect.fnUntraced(function* (commentId: string | null) {
          return yield* Effect.forEach(
            files.filter((file) => file.commentId === commentId),
            Effect.fnUntraced(function* ({ contentType, fileName, id, size, uploadedAt, uploadedBy }) {
              const file = { id, fileName, contentType, size, uploadedAt, uploadedBy: yield* person(uploadedBy) }
              return new Attachment({ ...file, ...contents.get(id) }, unchecked)
            })
          )
        })
        const comments = yield* Effect.forEach(
          said,
          Effect.fnUntraced(function* ({ authorId, text, ...comment }) {
            return new Comment(
              {
                ...comment,
                text: cipher.open(text),
                author: yield* person(authorId),
                attachments: yield* attached(comment.id)
              },
              unchecked
            )
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
          submitter: yield* person(userId),
          assignedTo: assignedTo === null ? null : yield* person(assignedTo),
          assignedBy: assignedBy === null ? null : yield* person(assignedBy),
          inProgressAt: row.inProgressAt,
          closedAt: row.closedAt,
          isArchived: row.isArchived,
          comments: comments.filter(({ isRestricted }) => !isRestricted),
          notes: comments.filter(({ isRestricted }) => isRestricted),
          decisions: decided.map(decision),
          attachments: yield* attached(null)
        }
      })

      const detail = Effect.fn("Reading.detail")(function* (organizationId: OrganizationId, query: CaseDetailQuery) {
        const caseId = givenText(query.caseId)
        const row =
          caseId === undefined
            ? yield* newestOf(organizationId, { email: query.email })
            : yield* ownById(organizationId, caseId)
        const isAttached = query.includeAttachments === "true"
        const { attachments, ...rest } = yield* shown(row, isAttached ? (query.documentFormat ?? "base64") : "none")
        return new CaseDetail(
          {
            ...rest,
            ...(isAttached && { attachments }),
            ...(query.includeCalendarEvents === "true" && { calendarEvents: [] }),
            ...(query.includeOrders === "true" && { orders: [] })
          },
          unchecked
        )
      })

      const adminCase = Effect.fn("Reading.adminCase")(function* (id: CaseId) {
        const found = yield* repo.findById(id)
        if (Option.isNone(found)) return yield* new CaseNotFound()
        const row = found.value
        const [base, products, formResponses] = yield* Effect.all(
          [shown(row, "url"), repo.products(id), repo.formResponses(id)],
          { concurrency: "unbounded" }
        )
        return new AdminCase({
          ...base,
          calendarEvents: [],
          orders: [],
          organizationId: row.organizationId,
          isTest: row.isTest,
          archiveReason: row.archiveReason,
          archiveNote: row.archiveNote,
          products,
          formResponses: formResponses.map((response) => ({
            ...response,
            questions: response.questions.map((question) =>
              question.phi ? { ...question, answer: cipher.open(question.answer) } : question
            )
          }))
        })
      })

      return Reading.of({
        detail,
        latestCaseId: Effect.fn("Reading.latestCaseId")((organizationId, customer) =>
          Effect.map(newestOf(organizationId, customer), ({ id }) => id)
        ),
        adminCase
      })
    })
  ).pipe(Layer.provide(ReadingRepo.layer))
}
