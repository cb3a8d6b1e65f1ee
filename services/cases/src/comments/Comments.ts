import { randomUUID } from "node:crypto"
import { type CaseId, CaseNotFound, Comment, type NewComment, UserNotInOrganization } from "@care/domain"
import { PhiCipher } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { Directory } from "../directory/Directory.ts"
import { CommentsRepo } from "./CommentsRepo.ts"

/** What is said about cases: comments that the partner reads, and internal notes. */
export class Comments extends Context.Service<
  Comments,
  {
    readonly add: (caseId: CaseId, comment: NewComment) => Effect.Effect<Comment, CaseNotFound | UserNotInOrganization>
  }
>()("@care/cases/comments/Comments") {
  static readonly layer = Layer.effect(
    Comments,
    Effect.gen(function* () {
      const repo = yield* CommentsRepo
      const directory = yield* Directory
      const cipher = yield* PhiCipher

      const add = Effect.fn("Comments.add")(function* (
        caseId: CaseId,
        { authorUserId, isRestricted, text }: NewComment
      ) {
        const found = yield* repo.organizationOf(caseId)
        if (Option.isNone(found)) return yield* new CaseNotFound()
        const organizationId = found.value
        const people = yield* directory.userSummaries(organizationId, [authorUserId])
        const author = people.get(authorUserId)
        if (author === undefined) return yield* new UserNotInOrganization({ userId: authorUserId })
        const comment = new Comment({
          id: randomUUID(),
          text,
          author,
          createdAt: yield* DateTime.nowAsDate,
          isRestricted,
          attachments: []
        })
        yield* repo.insert({
          id: comment.id,
          caseId,
          organizationId,
          authorId: author.id,
          text: cipher.seal(text),
          isRestricted,
          createdAt: comment.createdAt
        })
        return comment
      })

      return Comments.of({ add })
    })
  ).pipe(Layer.provide(CommentsRepo.layer))
}
