import { AuthApi, type UserIdentifier } from "@care/domain/auth"
import type { OrderOfOtherCells, UserOfOtherCells } from "@care/domain/gateway"
import type { OrderId } from "@care/domain/ids"
import { ownIdsApi } from "@care/domain/ownIds"
import { unexpected } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { type Cell, Cells, makeAskCells, peerOf, perCell } from "../cells/index.ts"

const answerMillis = 1000

/** What the cells other than one know. */
export class OtherCells extends Context.Service<
  OtherCells,
  {
    /** Returns the oldest user of other cells than `cell` with this identifier, within a second. */
    readonly findUser: (cell: Cell, identifier: UserIdentifier) => Effect.Effect<UserOfOtherCells>
    /** Returns whether a cell other than `cell` has an order, within a second. */
    readonly findOrder: (cell: Cell, id: OrderId) => Effect.Effect<OrderOfOtherCells>
  }
>()("@care/gateway/otherCells/OtherCells") {
  static readonly layer = Layer.effect(
    OtherCells,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const { askEach } = makeAskCells(answerMillis)
      const directoryOf = yield* perCell((cell) => peerOf(cell, AuthApi, "directory"))
      const idsOf = yield* perCell((cell) => peerOf(cell, ownIdsApi("cases"), "ownIds"))
      const othersThan = (cell: Cell) => all.filter(({ name }) => name !== cell.name)

      return OtherCells.of({
        findUser: Effect.fn("OtherCells.findUser")(function* (cell, payload) {
          const { answers, cellsAway } = yield* askEach(othersThan(cell), (other) =>
            directoryOf(other).findUser({ payload }).pipe(Effect.catchTags(unexpected))
          )
          const [oldest = null] = answers
            .flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt]))
            .sort((a, b) => a.getTime() - b.getTime())
          return { createdAt: oldest, silentCells: cellsAway }
        }),

        findOrder: Effect.fn("OtherCells.findOrder")(function* (cell, id) {
          const { answers, cellsAway } = yield* askEach(othersThan(cell), (other) =>
            idsOf(other)
              .find({ params: { name: "orderId", id } })
              .pipe(Effect.catchTags(unexpected))
          )
          return { isFound: answers.some(({ isOwn }) => isOwn), silentCells: cellsAway }
        })
      })
    })
  )
}
