import { CaseId, OrganizationId, type UserId } from "@care/domain"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

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
  {
    readonly organizationOf: (caseId: CaseId) => Effect.Effect<Option.Option<OrganizationId>>
    readonly insert: (comment: CommentRow) => Effect.Effect<void>
  }
>()("@care/cases/comments/CommentsRepo") {
  static readonly layer = Layer.effect(
    CommentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationOf = SqlSchema.findOneOption({
        Request: CaseId,
        Result: Schema.Struct({ organizationId: OrganizationId }),
        execute: (caseId) => sql`SELECT organization_id FROM cases WHERE id = ${caseId}`
      })
      return CommentsRepo.of({
        organizationOf: (caseId) =>
          organizationOf(caseId).pipe(Effect.map(Option.map(({ organizationId }) => organizationId)), Effect.orDie),
        insert: (comment) => Effect.orDie(sql`INSERT INTO comments ${sql.insert({ ...comment })}`)
      })
    })
  )
}
