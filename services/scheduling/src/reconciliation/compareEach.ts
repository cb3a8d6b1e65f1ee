import { PeerUnavailable } from "@care/service-kit"
import { Clock, Duration, Effect } from "effect"
import type { Refused } from "../provider/index.ts"
import type { Differences } from "./makeCompareMeetings.ts"

/** A meeting that is compared: `id` is the provider's, and `organizationId` whose it is, if that is known. */
export interface Comparison {
  readonly id: string
  readonly organizationId: Differences[number]["organizationId"]
  readonly run: Effect.Effect<Differences, Refused>
}

// A page ends then, so that what was compared is kept: a single look may take some seconds.
const longest = Duration.seconds(3)

const failed = ({ id, organizationId }: Comparison): Differences => [
  {
    action: "REPORTED",
    what: "A meeting cannot be compared, because the provider does not show it",
    id,
    organizationId
  }
]

/**
 * Compares meetings one after the other: the ids of those that were compared, which are all unless time is over, the provider has had
 * enough (429), or does not answer. What it refuses to show is reported and passed over, and so is the first one that it does not answer:
 * the page before ended with the one before it, so that one meeting keeps no other from being compared.
 */
export const compareEach = Effect.fnUntraced(function* (comparisons: ReadonlyArray<Comparison>) {
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(longest)
  const compared: Array<string> = []
  const differences: Array<Differences> = []
  for (const comparison of comparisons) {
    const isFirst = compared.length === 0
    if (!isFirst && (yield* Clock.currentTimeMillis) >= until) break
    const found = yield* comparison.run.pipe(
      Effect.catchTags({
        ProviderAnswer: () => Effect.succeed(failed(comparison)),
        ProviderBusy: (busy) => (isFirst ? Effect.fail(busy) : Effect.undefined)
      }),
      Effect.catchDefect((defect) => {
        if (!(defect instanceof PeerUnavailable)) return Effect.die(defect)
        return isFirst ? Effect.succeed(failed(comparison)) : Effect.undefined
      })
    )
    if (found === undefined) break
    compared.push(comparison.id)
    differences.push(found)
  }
  return { compared, differences: differences.flat() }
})
