import type { CaseId, OrganizationId } from "@care/domain/ids"
import { makeBatcher, memoizeByOrganization } from "@care/service-kit"
import { Effect, Option } from "effect"
import type { CaseRow, ReadingRepo } from "./ReadingRepo.ts"

/**
 * Makes what finds a case of an organization. Cases that are asked for beside each other are read by one statement
 * (docs/decisions/0036-together.md), two of an organization at a time: those of others are read by statements of their own.
 * What is found is as it was asked for, or later.
 */
export const makeFindCase = Effect.fnUntraced(function* (repo: ReadingRepo) {
  const together = yield* makeBatcher
  const findOf = memoizeByOrganization((organizationId) =>
    together(
      (ids: ReadonlyArray<CaseId>) =>
        Effect.map(repo.findAll(organizationId, [...new Set(ids)]), (rows) => {
          const found = new Map(rows.map((row) => [row.id, row]))
          return ids.map((id) => Option.fromUndefinedOr(found.get(id)))
        }),
      { atOnce: 2, most: 16 }
    )
  )
  return (organizationId: OrganizationId, id: CaseId): Effect.Effect<Option.Option<CaseRow>> =>
    findOf(organizationId)(id)
})
