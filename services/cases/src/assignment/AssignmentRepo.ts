import { CaseId, OrganizationId, PagePosition, UserId } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

const WaitingCase = Schema.Struct({ id: CaseId, userId: UserId, createdAt: Schema.Date })

/** A case that waits for a provider. */
export type WaitingCase = typeof WaitingCase.Type

/** SQL of automatic assignment. */
export class AssignmentRepo extends Context.Service<
  AssignmentRepo,
  {
    /** The case, if it waits for a provider: open, not archived, no test, not assigned. */
    readonly findWaiting: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<Option.Option<WaitingCase>>
    /** Cases of an organization that wait, oldest first. */
    readonly pageOfWaiting: (
      organizationId: OrganizationId,
      after: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingCase>>
    /** Lets one assignment of an organization happen at a time, until the caller's transaction ends. */
    readonly lock: (organizationId: OrganizationId) => Effect.Effect<void>
    /** Assigns a waiting case to the one of the providers who has the fewest cases; of several, who waits longest. */
    readonly assignToLeastBusy: (
      organizationId: OrganizationId,
      id: CaseId,
      providerIds: ReadonlyArray<UserId>,
      now: Date
    ) => Effect.Effect<void>
  }
>()("@care/cases/assignment/AssignmentRepo") {
  static readonly layer = Layer.effect(
    AssignmentRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const isWaiting = sql.literal("NOT is_archived AND NOT is_test AND status = 'OPEN' AND assigned_to IS NULL")

      const findWaiting = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, id: CaseId }),
        Result: WaitingCase,
        execute: ({ id, organizationId }) => sql`
          SELECT id, user_id, created_at FROM cases
          WHERE organization_id = ${organizationId} AND id = ${id} AND ${isWaiting}
        `
      })

      const pageOfWaiting = SqlSchema.findAll({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          ...PagePosition.fields,
          limit: Schema.Int
        }),
        Result: WaitingCase,
        execute: ({ createdAt, id, limit, organizationId }) => sql`
          SELECT id, user_id, created_at FROM cases
          WHERE organization_id = ${organizationId} AND ${isWaiting} AND (created_at, id) > (${createdAt}, ${id})
          ORDER BY created_at, id
          LIMIT ${limit}
        `
      })

      return AssignmentRepo.of({
        findWaiting: (organizationId, id) => Effect.orDie(findWaiting({ organizationId, id })),
        pageOfWaiting: (organizationId, after, limit) =>
          Effect.orDie(pageOfWaiting({ organizationId, ...after, limit })),
        lock: (organizationId) =>
          Effect.orDie(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`assignment ${organizationId}`}, 0))`),
        assignToLeastBusy: (organizationId, id, providerIds, now) =>
          Effect.orDie(sql`
            UPDATE cases SET status = 'ASSIGNED', assigned_to = least_busy.id, assigned_at = ${now}, updated_at = ${now}
            FROM (
              SELECT provider.id
              FROM unnest(${providerIds}::uuid[]) AS provider (id)
              LEFT JOIN cases busy ON busy.organization_id = ${organizationId} AND busy.assigned_to = provider.id
                AND NOT busy.is_archived AND busy.status IN ('ASSIGNED', 'IN_PROGRESS')
              GROUP BY provider.id
              ORDER BY count(busy.id), max(busy.assigned_at) NULLS FIRST, provider.id
              LIMIT 1
            ) least_busy
            WHERE cases.organization_id = ${organizationId} AND cases.id = ${id} AND ${isWaiting}
          `)
      })
    })
  )
}
