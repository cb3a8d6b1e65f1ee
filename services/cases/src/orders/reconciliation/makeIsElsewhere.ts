import { otherCellsApi } from "@care/domain/gateway"
import type { OrderId } from "@care/domain/ids"
import { otherCellsUrlSetting, PeerUnavailable, peerHttpClient, readSettings, unexpected } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"

/**
 * Makes the function that returns whether another cell has an order: organizations move, and then cells share an account at the pharmacy. It
 * dies if no cell has it and one did not answer.
 */
export const makeIsElsewhere = Effect.gen(function* () {
  const url = yield* readSettings(otherCellsUrlSetting)
  if (url === undefined) return () => Effect.succeed(false)
  const httpClient = yield* peerHttpClient("gateway", url)
  const gateway = yield* HttpApiClient.group(otherCellsApi, { group: "otherCells", httpClient })
  return Effect.fnUntraced(function* (orderId: OrderId) {
    const { isFound, silentCells } = yield* gateway
      .findOrder({ params: { orderId } })
      .pipe(Effect.catchTags(unexpected))
    if (!isFound && silentCells.length > 0) {
      return yield* Effect.die(new PeerUnavailable({ peer: `the cell ${silentCells.join(", ")}` }))
    }
    return isFound
  })
})
