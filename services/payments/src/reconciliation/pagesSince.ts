import { Clock, Duration, Effect, Option, Schema } from "effect"
import type { StripeRefused } from "../stripe/index.ts"

/** A range of time in seconds since 1970, from `gte` inclusive to `lt` exclusive. */
interface TimeRange {
  readonly gte: number
  readonly lt: number
}

/** The query of a list of Stripe, newest first. */
export interface StripeListQuery {
  readonly created: TimeRange
  readonly limit: number
  readonly starting_after?: string
}

interface ListPage<A> {
  readonly data: ReadonlyArray<A>
  readonly has_more: boolean
}

/** The position of a page. `until` is the end of the current range, null before it begins; `after` is null for its first page. */
const Position = Schema.fromJsonString(
  Schema.Struct({ since: Schema.Int, until: Schema.NullOr(Schema.Int), after: Schema.NullOr(Schema.String) })
)
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

// Stripe lists the events of the last 30 days.
const retentionSeconds = Duration.toSeconds("30 days")

// Stripe may list the newest events late, so ranges overlap.
const overlapSeconds = Duration.toSeconds("10 minutes")

const pageSize = 100

const isUnknownPosition = ({ code, param }: StripeRefused): boolean =>
  code === "resource_missing" && param === "starting_after"

/**
 * Makes the function that returns a page of a list of Stripe since a cursor, and the cursor of the next page. A range ends `settlingTime`
 * ago, so that events have come by the webhook. The next range begins shortly before the end of the previous one.
 */
export const pagesSince =
  <A extends { readonly id: string }>(
    settlingTime: Duration.Input,
    list: (query: StripeListQuery) => Effect.Effect<ListPage<A>, StripeRefused>
  ) =>
  (cursor: string | undefined) =>
    Effect.gen(function* () {
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const oldest = now - retentionSeconds
      const position = Option.getOrUndefined(decodePosition(cursor))
      const since = Math.max(position?.since ?? oldest, oldest)
      const until = position?.until ?? now - Duration.toSeconds(settlingTime)
      const query = { created: { gte: since, lt: until }, limit: pageSize }
      const after = position?.after ?? null
      const { data, has_more } = yield* list(after === null ? query : { ...query, starting_after: after }).pipe(
        // Stripe does not list the last event of the previous page any more, so the range begins anew.
        Effect.catchIf(isUnknownPosition, () => list(query)),
        Effect.orDie
      )
      const last = data.at(-1)
      const isLast = !has_more || last === undefined
      const next = isLast
        ? { since: until - overlapSeconds, until: null, after: null }
        : { since, until, after: last.id }
      return { data, isLast, cursor: encodePosition(next) }
    })
