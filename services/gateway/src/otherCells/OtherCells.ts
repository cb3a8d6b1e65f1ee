import { AuthApi, type UserIdentifier } from "@care/domain/auth"
import type { UserOfOtherCells } from "@care/domain/gateway"
import { PeerUnavailable, unexpected } from "@care/service-kit"
import { Clock, Context, Effect, Layer } from "effect"
import { type Cell, Cells, peerOf } from "../cells/index.ts"

// How long a question waits for a cell, and for how long a cell that did not answer is not asked again.
const answerMillis = 1000
const pauseMillis = 5000

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
      const peers = yield* Effect.forEach((yield* Cells).all, (cell) =>
        Effect.map(peerOf(cell, AuthApi, "directory"), (auth) => ({ auth, name: cell.name }))
      )
      const silentUntil = new Map<string, number>()

      const ask = Effect.fnUntraced(function* ({ auth, name }: (typeof peers)[number], payload: UserIdentifier) {
        const silent = { createdAt: null, silentCells: [name] }
        if ((silentUntil.get(name) ?? 0) > (yield* Clock.currentTimeMillis)) return silent
        return yield* auth.findUser({ payload }).pipe(
          Effect.map(({ createdAt }) => ({ createdAt, silentCells: [] })),
          Effect.catchTags(unexpected),
          Effect.timeoutOrElse({
            duration: answerMillis,
            orElse: () => Effect.die(new PeerUnavailable({ peer: `auth of ${name}` }))
          }),
          Effect.catchDefect(() =>
            Effect.gen(function* () {
              silentUntil.set(name, (yield* Clock.currentTimeMillis) + pauseMillis)
              yield* Effect.logWarning(`The cell ${name} does not answer`)
              return silent
            })
          )
        )
      })

      return OtherCells.of({
        findUser: Effect.fn("OtherCells.findUser")(function* (cell, identifier) {
          const others = peers.filter(({ name }) => name !== cell.name)
          const answers = yield* Effect.forEach(others, (peer) => ask(peer, identifier), { concurrency: "unbounded" })
          const [oldest = null] = answers
            .flatMap(({ createdAt }) => (createdAt === null ? [] : [createdAt]))
            .sort((a, b) => a.getTime() - b.getTime())
          return { createdAt: oldest, silentCells: answers.flatMap(({ silentCells }) => silentCells) }
        })
      })
    })
  )
}
