import { PeerUnavailable } from "@care/service-kit"
import { Clock, Duration, Effect } from "effect"
import type { ProviderRefusal } from "../provider/index.ts"
import type { Differences } from "./makeCompareMeetings.ts"

/** The comparison of one meeting: `id` is the provider's, `organizationId` its owner if known. */
export interface Comparison {
  readonly id: string
  readonly organizationId: Differences[number]["organizationId"]
  readonly run: Effect.Effect<Differences, ProviderRefusal>
}

// A page ends after this time, so that its progress is stored: a single comparison may take some seconds.
const maxPageDuration = Duration.seconds(3)

const notComparable = ({ id, organizationId }: Comparison): Differences => [
  {
    action: "REPORTED",
    what: "A meeting cannot be compared, because the provider does not show it",
    id,
    organizationId
  }
]

/**
 * Runs comparisons one after the other, and returns the ids that were compared: all, unless the time is over, the
 * provider limits the rate (429), or does not answer. A refused comparison is reported and skipped. So is the first one
 * without an answer, because the previous page ended with its predecessor: one meeting never blocks the others.
 */
export const compareEach = Effect.fnUntraced(function* (comparisons: ReadonlyArray<Comparison>) {
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(maxPageDuration)
  const compared: Array<string> = []
  const differences: Array<Differences> = []
  for (const comparison of comparisons) {
    const isFirst = compared.length === 0
    if (!isFirst && (yield* Clock.currentTimeMillis) >= until) break
    const found = yield* comparison.run.pipe(
      Effect.catchTags({
        ProviderErrorResponse: () => Effect.succeed(notComparable(comparison)),
        ProviderBusy: (busy) => (isFirst ? Effect.fail(busy) : Effect.undefined)
      }),
      Effect.catchDefect((defect) => {
        if (!(defect instanceof PeerUnavailable)) return Effect.die(defect)
        return isFirst ? Effect.succeed(notComparable(comparison)) : Effect.undefined
      })
    )
    if (found === undefined) break
    compared.push(comparison.id)
    differences.push(found)
  }
  return { compared, differences: differences.flat() }
})
