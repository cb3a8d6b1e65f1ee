import { CaseId, CaseStatus, OrganizationId, type PrescriberSummary, ProductId, type UserId } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const CaseState = Schema.Struct({
  status: CaseStatus,
  isArchived: Schema.Boolean,
  productIds: Schema.Array(ProductId)
})

/** Where a case stands, and what it is about. */
export type CaseState = typeof CaseState.Type

/** A decision about to be stored: `decisionText`, `category` and `medInfo` are sealed. */
export interface NewDecisionRow {
  readonly id: string
  readonly caseId: CaseId
  readonly organizationId: OrganizationId
  readonly addedBy: UserId
  readonly prescriber: PrescriberSummary
  readonly isApproved: boolean
  readonly isNoDecision: boolean
  readonly decisionText: string
  readonly category: string | null
  readonly visitType: string
  readonly productId: ProductId | null
  readonly startDate: Date
  readonly endDate: Date
  readonly medInfo: string
  readonly createdAt: Date
}

/** A change of a case's status, made only when it has one of the statuses and is not archived. */
export interface Transition {
  readonly id: CaseId
  readonly from: ReadonlyArray<CaseStatus>
  readonly to: CaseStatus
  readonly assignedTo?: UserId
  readonly assignedAt?: Date
  readonly inProgressAt?: Date
  readonly updatedAt: Date
}

/** SQL of the care team's work on cases. */
export class LifecycleRepo extends Context.Service<
  LifecycleRepo,
  {
    readonly find: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<Option.Option<CaseState>>
    /** False when the case has none of the statuses, or is archived. */
    readonly move: (organizationId: OrganizationId, transition: Transition) => Effect.Effect<boolean>
    readonly insertDecision: (decision: NewDecisionRow) => Effect.Effect<void>
  }
>()("@care/cases/lifecycle/LifecycleRepo") {
  static readonly layer = Layer.effect(
    LifecycleRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const find = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, id: CaseId }),
        Result: CaseState,
        execute: ({ id, organizationId }) => sql`
          SELECT status, is_archived, ARRAY(
            SELECT product_id FROM case_products WHERE organization_id = ${organizationId} AND case_id = ${id}
          ) AS product_ids
          FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
        `
      })

      return LifecycleRepo.of({
        find: (organizationId, id) => Effect.orDie(find({ organizationId, id })),
        move: (organizationId, { from, id, to, ...columns }) =>
          sql`
            UPDATE cases SET ${sql.update({ ...columns, status: to })}
            WHERE organization_id = ${organizationId} AND id = ${id} AND NOT is_archived AND status = ANY(${from})
            RETURNING id
          `.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          ),
        insertDecision: ({ prescriber, ...decision }) =>
          Effect.orDie(
            sql`INSERT INTO decisions ${sql.insert({ ...decision, prescriber: JSON.stringify(prescriber) })}`
          )
      })
    })
  )
}
