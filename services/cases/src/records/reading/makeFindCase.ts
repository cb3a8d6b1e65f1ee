import type { CaseId, OrganizationId } from "@care/domain/ids"
import { makeBatcher, memoizeByOrganization } from "@care/service-kit"
import { Effect, Option } from "effect"
import type { CaseWithLists, ReadingRepo } from "./ReadingRepo.ts"

/**
 * Makes the function that finds a case of an organization. Parallel calls of one organization are read in batches, two at a time
 * (docs/decisions/0036-together.md). A batch begins after its calls, so that each sees what was committed before it.
 */
export const makeFindCase = Effect.fnUntraced(function* (repo: ReadingRepo) {
  const batch = yield* makeBatcher
  const findOf = memoizeByOrganization((organizationId) =>
    batch(
      (ids: ReadonlyArray<CaseId>) =>
        Effect.map(repo.findAll(organizationId, [...new Set(ids)]), (rows) => {
          const byId = new Map(rows.map((row) => [row.id, row]))
          return ids.map((id) => Option.fromUndefinedOr(byId.get(id)))
        }),
      { concurrency: 2, maxBatchSize: 16 }
    )
  )
  return (organizationId: OrganizationId, id: CaseId): Effect.Effect<Option.Option<CaseWithLists>> =>
    findOf(organizationId)(id)
})
