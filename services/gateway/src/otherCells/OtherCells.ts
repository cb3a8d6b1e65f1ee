import { AuthApi, type UserIdentifier } from "@care/domain/auth"
import type { UserOfOtherCells } from "@care/domain/gateway"
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
  }
>()("@care/gateway/otherCells/OtherCells") {
  static readonly layer = Layer.effect(
    OtherCells,
    Effect.gen(function* () {
      const { all } = yield* Cells
      const { askEach } = makeAskCells(answerMillis)
      const directoryOf = yield* perCell((cell) => peerOf(cell, AuthApi, "directory"))

      return OtherCells.of({
        findUser: Effect.fn("OtherCells.findUser")(function* (cell, payload) {
          const others = all.filter(({ name }) => name !== cell.name)
          const { answers, cellsAway } = yield* askEach(others, (other) =>
            directoryOf(other).findUser({ payload }).pipe(Effect.catchTags(unexpected))
          )
          const [oldest = null] = answers
            .flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt]))
            .sort((a, b) => a.getTime() - b.getTime())
          return { createdAt: oldest, silentCells: cellsAway }
        })
      })
    })
  )
}
