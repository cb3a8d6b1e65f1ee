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

/** Finds the cell of an id that an operator names. */
export class CellOfId extends Context.Service<
  CellOfId,
  {
    /**
     * Returns the cell that has an id. If no cell has it, that is the first one, whose service answers that it is unknown. Dies if a cell
     * that might have it does not answer within two seconds.
     */
    readonly find: (name: IdName, id: string) => Effect.Effect<Cell>
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

      // All are asked at once, and the first that has the id ends the search.
      const search = Effect.fnUntraced(function* (params: NamedId) {
        const found = yield* Deferred.make<FoundCell>()
        const ask = (cell: Cell) =>
          clientsOf(cell)
            [ownersOfIds[params.name]].find({ params })
            .pipe(
              Effect.catchTags(unexpected),
              Effect.tap(({ isMoving = false, isOwn }) =>
                isOwn ? Deferred.succeed(found, { cell, isMoving }) : Effect.void
              )
            )
        const everywhere = Effect.gen(function* () {
          const { answers, cellsAway } = yield* askEach(all, ask)
          if (answers.some(({ isOwn }) => isOwn)) return yield* Deferred.await(found)
          if (cellsAway.length === 0) return undefined
          return yield* Effect.die(new PeerUnavailable({ peer: `the cell ${cellsAway.join(", ")}` }))
        })
        return yield* Effect.raceFirst(Deferred.await(found), everywhere)
      })

      const caches = yield* Effect.all(
        Record.map(ownersOfIds, (_, name) =>
          Cache.makeWith((id: string) => search({ name, id }), {
            capacity,
            timeToLive: (exit) => (Exit.isSuccess(exit) && exit.value?.isMoving === false ? cacheMillis : 0)
          })
        )
      )

      return CellOfId.of({
        find: (name, id) =>
          all.length === 1
            ? Effect.succeed(first)
            : Effect.map(Cache.get(caches[name], id.toLowerCase()), (found) => found?.cell ?? first)
      })
    })
  )
}
