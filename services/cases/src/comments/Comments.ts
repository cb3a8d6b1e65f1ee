import { randomUUID } from "node:crypto"
import type { StaffUnknown } from "@care/domain/auth"
import type { CaseNotFound, Comment, FileRefused, NewComment, UserNotInOrganization } from "@care/domain/cases"
import type { RequestInvalid, StaffRefused } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { makePatientKeys } from "@care/phi"
import { inTransaction, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Cases, inOwnName, type NewestOfCase, People, personIn } from "../case/index.ts"
import { Documents, FileContents, receiveFile } from "../documents/index.ts"
import { type CommentRow, makeCommentsRepo } from "./CommentsRepo.ts"
import { commentOf, peopleOfComments } from "./commentOf.ts"

type Refusal = CaseNotFound | UserNotInOrganization | StaffUnknown | FileRefused | RequestInvalid | StaffRefused

/** Comments on cases, which the partner reads, and internal notes. */
export class Comments extends Context.Service<
  Comments,
  {
    /** Adds a comment with all of its files, or nothing. Only staff adds internal notes. */
    readonly add: (caseId: CaseId, comment: NewComment) => Effect.Effect<Comment, Refusal>
    /** Checks the same, and returns the change, which only uses the database. */
    readonly prepare: (
      caseId: CaseId,
      comment: NewComment
    ) => Effect.Effect<Effect.Effect<Comment, CaseNotFound>, Refusal>
    /** Returns those of the comments and notes that are the organization's. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Comment>>
    /** Returns comments (`false`), internal notes (`true`), or both, with links to the contents of their files. */
    readonly newest: (kinds: ReadonlyArray<boolean>) => NewestOfCase<Comment>
  }
>()("@care/cases/comments/Comments") {
  static readonly layer = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const repo = yield* makeCommentsRepo
      const cases = yield* Cases
      const people = yield* People
      const documents = yield* Documents
      const fileContents = yield* FileContents
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient

      const show = Effect.fnUntraced(function* (organizationId: OrganizationId, comments: ReadonlyArray<CommentRow>) {
        const person = personIn(yield* people.summaries(organizationId, peopleOfComments(comments)))
        const files = comments.flatMap((comment) => comment.files)
        const contents = yield* fileContents.show(files, "url")
        return comments.map((comment) => commentOf(comment, person, contents))
      })

      const prepare = Effect.fn("Comments.prepare")(function* (caseId: CaseId, comment: NewComment) {
        const { attachments = [], authorUserId: named, isRestricted, text } = comment
        const organizationId = yield* cases.organizationOf(caseId)
        const authorUserId = yield* inOwnName("authorUserId", named)
        const findAuthor = isRestricted ? people.staff : people.summary
        const author = yield* findAuthor(organizationId, authorUserId)
        const received = yield* Effect.forEach(attachments, (file, index) =>
          receiveFile(`attachments.${index}.content`, file)
        )
        const id = randomUUID()
        const createdAt = yield* Time.nowAsDate

        const store = Effect.gen(function* () {
          const type = isRestricted ? "NOTE_ADDED" : "COMMENT_ADDED"
          const details = { commentId: id }
          const { userId } = yield* cases.record(organizationId, caseId, { type, details })
          const key = yield* patientKeys.of(organizationId, userId)
          yield* repo.insert(key, { organizationId, id, caseId, authorId: author.id, text, isRestricted, createdAt })
          return yield* Effect.forEach(received, (file) =>
            documents.add({ organizationId, caseId, commentId: id, uploadedBy: author.id, file })
          )
        })
        return Effect.map(inTransaction(sql)(store), (stored): Comment => {
          const files = stored.map((file) => ({ ...file, uploadedBy: author }))
          return { id, text, author, createdAt, isRestricted, attachments: files }
        })
      })

      return Comments.of({
        add: (caseId, comment) => Effect.flatten(prepare(caseId, comment)),

        prepare,

        findAll: Effect.fn("Comments.findAll")(function* (organizationId, ids) {
          return yield* show(organizationId, yield* repo.findAll(organizationId, ids))
        }),
        newest: (kinds) =>
          Effect.fn("Comments.newest")(function* (...page) {
            return yield* show(page[0], yield* repo.newest(kinds, page))
          })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Documents.layer, FileContents.layer]))
}
