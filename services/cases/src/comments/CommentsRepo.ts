import type { CaseId, OrganizationId, UserId } from "@care/domain"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** A comment as it is stored: its text is sealed. */
export interface CommentRow {
  readonly id: string
  readonly caseId: CaseId
  readonly organizationId: OrganizationId
  readonly authorId: UserId
  readonly text: string
  readonly isRestricted: boolean
  readonly createdAt: Date
}

/** SQL of comments. */
export class CommentsRepo extends Context.Service<
  CommentsRepo,
  { readonly insert: (comment: CommentRow) => Effect.Effect<void> }
>()("@care/cases/comments/CommentsRepo") {
  static readonly layer = Layer.effect(
    CommentsRepo,
    Effect.map(SqlClient.SqlClient, (sql) =>
      CommentsRepo.of({
        insert: (comment) => Effect.orDie(sql`INSERT INTO comments ${sql.insert({ ...comment })}`)
      })
    )
  )
}
