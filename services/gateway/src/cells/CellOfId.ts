import type { OrganizationId } from "@care/domain/ids"
import { type IdName, ownersOfIds, ownIdsApi } from "@care/domain/ownIds"
import { PeerUnavailable, unexpected } from "@care/service-kit"
import { Cache, Context, Deferred, Effect, Exit, Layer, Record } from "effect"
import { type Cell, Cells } from "./Cells.ts"
import { makeAskCells } from "./makeAskCells.ts"
import { peerOf } from "./peerOf.ts"
import { perCell } from "./perCell.ts"

const capacity = 10_000

// An organization that moves takes its ids along. It is known to move for longer than this before it has moved.
const cacheMillis = 2000

const answerMillis = 2000

interface NamedId {
  readonly name: IdName
  readonly id: string
}

interface FoundCell {
  readonly cell: Cell
  readonly isMoving: boolean
}

/** Finds the cell and the organization of an id that an operator or a person of staff names. */
export class CellOfId extends Context.Service<
  CellOfId,
  {
    /**
     * Returns the cell that has an id. If no cell has it, that is the first one, whose service answers that it is unknown. Dies if a cell
     * that might have it does not answer within two seconds.
     */
    readonly find: (name: IdName, id: string) => Effect.Effect<Cell>
    /** Returns the organization of an id in a cell; undefined if the cell does not have the id, or it is of no organization. */
    readonly ownerIn: (cell: Cell, name: IdName, id: string) => Effect.Effect<OrganizationId | undefined>
  }
>()("@care/gateway/cells/CellOfId") {
  static readonly layer = Layer.effect(
    CellOfId,
    Effect.gen(function* () {
      const { all, first } = yield* Cells
      const { askEach } = makeAskCells(answerMillis)
      const clientsOf = yield* perCell((cell) =>
        Effect.all({
          auth: peerOf(cell, ownIdsApi("auth"), "ownIds"),
          cases: peerOf(cell, ownIdsApi("cases"), "ownIds"),
          payments: peerOf(cell, ownIdsApi("payments"), "ownIds")
        })
      )

      const askIn = (cell: Cell, params: NamedId) =>
        clientsOf(cell)[ownersOfIds[params.name]].find({ params }).pipe(Effect.catchTags(unexpected))

      // All are asked at once, and the first that has the id ends the search.
      const search = Effect.fnUntraced(function* (params: NamedId) {
        const found = yield* Deferred.make<FoundCell>()
        const ask = (cell: Cell) =>
          Effect.tap(askIn(cell, params), ({ isMoving = false, isOwn }) =>
            isOwn ? Deferred.succeed(found, { cell, isMoving }) : Effect.void
          )
        const everywhere = Effect.gen(function* () {
          const { answers, cellsAway } = yield* askEach(all, ask)
          if (answers.some(({ isOwn }) => isOwn)) return yield* Deferred.await(found)
          if (cellsAway.length === 0) return undefined
          return yield* Effect.die(new PeerUnavailable({ peer: `the cell ${cellsAway.join(", ")}` }))
        })
        return yield* Effect.raceFirst(Deferred.await(found), everywhere)
      })

      // Only what was found is cached, unless it moves.
      const makeCaches = <A extends { readonly isMoving: boolean }>(
        lookUp: (params: NamedId) => Effect.Effect<A | undefined>
      ) =>
        Effect.all(
          Record.map(ownersOfIds, (_, name) =>
            Cache.makeWith((id: string) => lookUp({ name, id }), {
              capacity,
              timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value?.isMoving === false ? cacheMillis : 0)
            })
          )
        )
      const caches = yield* makeCaches(search)
      const ownersOf = yield* perCell((cell) =>
        makeCaches((params) =>
          Effect.map(askIn(cell, params), ({ isMoving = false, organizationId = null }) =>
            organizationId === null ? undefined : { organizationId, isMoving }
          )
        )
      )

      return CellOfId.of({
        find: (name, id) =>
          all.length === 1
            ? Effect.succeed(first)
            : Effect.map(Cache.get(caches[name], id.toLowerCase()), (found) => found?.cell ?? first),
        ownerIn: (cell, name, id) =>
          Effect.map(Cache.get(ownersOf(cell)[name], id.toLowerCase()), (owner) => owner?.organizationId)
      })
    })
  )
}
