import type { UserIdentifier } from "@care/domain/auth"
import { otherCellsApi } from "@care/domain/gateway"
import {
  otherCellsUrlSetting,
  PeerUnavailable,
  peerHttpClient,
  readSettings,
  safeCause,
  unexpected
} from "@care/service-kit"
import { Cause, Context, Effect, Layer, Option } from "effect"
import * as HttpApiClient from "effect/http-api/HttpApiClient"

/** What other cells know of an identifier. */
export interface UserElsewhere {
  /** When the oldest user was created. */
  readonly createdAt: Option.Option<Date>
  /** False if a cell did not answer. Then it may have a user, or an older one. */
  readonly isComplete: boolean
}

// The gateway waits for each cell for a second.
const answerLimit = "2 seconds"

const alone: UserElsewhere = { createdAt: Option.none(), isComplete: true }
const unknown: UserElsewhere = { createdAt: Option.none(), isComplete: false }

/** The users of other cells. */
export class UsersElsewhere extends Context.Service<
  UsersElsewhere,
  {
    /** Asks all other cells for a user with this identifier. Returns within two seconds. */
    readonly find: (identifier: UserIdentifier) => Effect.Effect<UserElsewhere>
  }
>()("@care/auth/profiles/UsersElsewhere") {
  static readonly layer = Layer.effect(
    UsersElsewhere,
    Effect.gen(function* () {
      const url = yield* readSettings(otherCellsUrlSetting)
      if (url === undefined) return UsersElsewhere.of({ find: () => Effect.succeed(alone) })
      const httpClient = yield* peerHttpClient("gateway", url)
      const gateway = yield* HttpApiClient.group(otherCellsApi, { group: "otherCells", httpClient })

      const find = Effect.fn("UsersElsewhere.find")((identifier: UserIdentifier) =>
        gateway.findUser({ payload: identifier }).pipe(
          Effect.catchTags(unexpected),
          Effect.timeoutOrElse({
            duration: answerLimit,
            orElse: () => Effect.die(new PeerUnavailable({ peer: "gateway" }))
          }),
          Effect.map(
            ({ createdAt, silentCells }): UserElsewhere => ({
              createdAt: Option.fromNullOr(createdAt),
              isComplete: silentCells.length === 0
            })
          ),
          Effect.catchDefect((defect) =>
            Effect.as(
              Effect.logWarning("The gateway did not answer for other cells", safeCause(Cause.die(defect))),
              unknown
            )
          )
        )
      )
      return UsersElsewhere.of({ find })
    })
  )
}
