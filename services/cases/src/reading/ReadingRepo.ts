import {
  CaseId,
  CaseProduct,
  CaseStatus,
  Decision,
  FormResponse,
  OrganizationId,
  UserId,
  VisitType
} from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

// Far more than any case has; a list without a bound could not be read.
const longestList = 5000

/** A case as it is stored. */
export const CaseRow = Schema.Struct({
  id: CaseId,
  shortId: Schema.String,
  organizationId: OrganizationId,
  userId: UserId,
  title: Schema.String,
  status: CaseStatus,
  type: VisitType,
  isTest: Schema.Boolean,
  isArchived: Schema.Boolean,
  archiveReason: Schema.NullOr(Schema.String),
  archiveNote: Schema.NullOr(Schema.String),
  assignedTo: Schema.NullOr(UserId),
  assignedBy: Schema.NullOr(UserId),
  inProgressAt: Schema.NullOr(Schema.Date),
  closedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type CaseRow = typeof CaseRow.Type

/** A comment as it is stored: its text is sealed. */
export const CommentRow = Schema.Struct({
  id: Schema.String,
  authorId: UserId,
  text: Schema.String,
  isRestricted: Schema.Boolean,
  createdAt: Schema.Date
})

export type CommentRow = typeof CommentRow.Type

/** A decision as it is stored: text and medicines are sealed. */
export const DecisionRow = Schema.Struct({
  ...Decision.fields,
  startDate: Schema.Date,
  endDate: Schema.Date,
  createdAt: Schema.Date,
  medInfo: Schema.String
})
export type DecisionRow = typeof DecisionRow.Type

/** SQL of reading cases. */
export class ReadingRepo extends Context.Service<
  ReadingRepo,
  {
    /** A case by its id, whoever owns it: the caller compares the organization. */
    readonly findById: (id: CaseId) => Effect.Effect<Option.Option<CaseRow>>
    readonly findNewest: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<Option.Option<CaseRow>>
    readonly comments: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<ReadonlyArray<CommentRow>>
    readonly decisions: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<ReadonlyArray<DecisionRow>>
    readonly products: (id: CaseId) => Effect.Effect<ReadonlyArray<typeof CaseProduct.Type>>
    readonly formResponses: (id: CaseId) => Effect.Effect<ReadonlyArray<typeof FormResponse.Type>>
  }
>()("@care/cases/reading/ReadingRepo") {
  static readonly layer = Layer.effect(
    ReadingRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        `id, short_id, organization_id, user_id, title, status, type, is_test, is_archived, archive_reason, archive_note,
         assigned_to, assigned_by, in_progress_at, closed_at, created_at, updated_at`
      )

      const findById = SqlSchema.findOneOption({
        Request: CaseId,
        Result: CaseRow,
        execute: (id) => sql`SELECT ${columns} FROM cases WHERE id = ${id}`
      })

      const findNewest = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
        Result: CaseRow,
        execute: ({ organizationId, userId }) => sql`
          SELECT ${columns} FROM cases
          WHERE organization_id = ${organizationId} AND user_id = ${userId}
          ORDER BY created_at DESC, id DESC
          LIMIT 1
        `
      })

      const OfCase = Schema.Struct({ organizationId: OrganizationId, id: CaseId })

      const comments = SqlSchema.findAll({
        Request: OfCase,
        Result: CommentRow,
        execute: ({ id, organizationId }) => sql`
          SELECT id, author_id, text, is_restricted, created_at FROM comments
          WHERE case_id = ${id} AND organization_id = ${organizationId}
          ORDER BY created_at, id
          LIMIT ${longestList}
        `
      })

      const decisions = SqlSchema.findAll({
        Request: OfCase,
        Result: DecisionRow,
        execute: ({ id, organizationId }) => sql`
          SELECT id, is_approved, is_no_decision, start_date, end_date, decision_text, category, created_at, visit_type,
                 product_id, prescriber AS added_by, med_info
          FROM decisions
          WHERE case_id = ${id} AND organization_id = ${organizationId}
          ORDER BY created_at, id
          LIMIT ${longestList}
        `
      })

      const products = SqlSchema.findAll({
        Request: CaseId,
        Result: CaseProduct,
        execute: (id) => sql`
          SELECT cp.product_id, p.name, cp.status, cp.visit_type, to_char(cp.due_date, 'YYYY-MM-DD') AS due_date
          FROM case_products cp JOIN products p ON p.id = cp.product_id
          WHERE cp.case_id = ${id}
          ORDER BY cp.index
        `
      })

      const formResponses = SqlSchema.findAll({
        Request: CaseId,
        Result: FormResponse.mapFields((fields) => ({ ...fields, createdAt: Schema.Date })),
        execute: (id) => sql`
          SELECT id, product_id, form_id, title, description, questions, created_at FROM form_responses
          WHERE case_id = ${id}
          ORDER BY created_at, id
        `
      })

      return ReadingRepo.of({
        findById: (id) => Effect.orDie(findById(id)),
        findNewest: (organizationId, userId) => Effect.orDie(findNewest({ organizationId, userId })),
        comments: (organizationId, id) => Effect.orDie(comments({ organizationId, id })),
        decisions: (organizationId, id) => Effect.orDie(decisions({ organizationId, id })),
        products: (id) => Effect.orDie(products(id)),
        formResponses: (id) => Effect.orDie(formResponses(id))
      })
    })
  )
}
