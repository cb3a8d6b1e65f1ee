import { CasesApi, type OrganizationTroubles, type TroublesPosition } from "@care/domain/cases"
import type { TroublesQuery } from "@care/domain/gateway"
import type { CellsPosition } from "@care/domain/http"
import { type Page, unexpected } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { type Cell, Cells, makeReadCells, peerOf, perCell } from "../../cells/index.ts"

const positionOf = ({ organizationId, total }: OrganizationTroubles): TroublesPosition => ({ total, organizationId })

const worstFirst = (a: TroublesPosition, b: TroublesPosition) =>
  b.total - a.total || (a.organizationId < b.organizationId ? -1 : a.organizationId > b.organizationId ? 1 : 0)

/** The organizations of all cells at which something is wrong. */
export class TroubledOrganizations extends Context.Service<
  TroubledOrganizations,
  {
    /** Returns a page of organizations, those with the most troubles first. It names the cells that do not answer. */
    readonly list: (query: TroublesQuery) => Effect.Effect<Page<OrganizationTroubles, CellsPosition<TroublesPosition>>>
  }
>()("@care/gateway/troubles/TroubledOrganizations") {
  static readonly layer = Layer.effect(
    TroubledOrganizations,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const readCells = makeReadCells()
      const lookupOf = yield* perCell((cell) => peerOf(cell, CasesApi, "troubleLookup"))

      return TroubledOrganizations.of({
        list: Effect.fn("TroubledOrganizations.list")(function* ({ cursor, limit }) {
          const ask = (cell: Cell, after: TroublesPosition | undefined) =>
            lookupOf(cell)
              .list({ query: { ...(after !== undefined && { cursor: after }), limit: limit + 1 } })
              .pipe(
                Effect.catchTags(unexpected),
                Effect.map((data) => [{ data, nextCursor: null }])
              )
          return yield* readCells(all, { cursor, limit, order: worstFirst, positionOf }, ask)
        })
      })
    })
  )
}
