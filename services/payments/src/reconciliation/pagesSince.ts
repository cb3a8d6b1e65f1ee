import { Clock, Duration, Effect, Option, Schema } from "effect"
import type { StripeRefused } from "../stripe/index.ts"

/** A stretch of time, in seconds since 1970: from `gte` on, and before `lt`. */
interface Stretch {
  readonly gte: number
  readonly lt: number
}

/** How a list of Stripe is asked for: the newest first, or those after one. */
export interface Asked {
  readonly created: Stretch
  readonly limit: number
  readonly starting_after?: string
}

interface Listed<A> {
  readonly data: ReadonlyArray<A>
  readonly has_more: boolean
}

/** Where a page begins: `until` is null before a stretch is begun, `after` at its newest. */
const Position = Schema.fromJsonString(
  Schema.Struct({ since: Schema.Int, until: Schema.NullOr(Schema.Int), after: Schema.NullOr(Schema.String) })
)
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

// Stripe shows what happened in the last 30 days.
const longestAgo = Duration.toSeconds("30 days")

// What happened last may be shown late: so much is looked at again.
const overlap = Duration.toSeconds("10 minutes")

const maxListed = 100

const wasForgotten = ({ code, param }: StripeRefused): boolean =>
  code === "resource_missing" && param === "starting_after"

/**
 * Makes the function that lists what Stripe made since a cursor, a page at a time, and answers where the next one begins. A stretch ends
 * `settled` ago, so that what Stripe tells of by itself has come; the next begins where it ended, and a little before.
 */
export const pagesSince =
  <A extends { readonly id: string }>(
    settled: Duration.Input,
    list: (asked: Asked) => Effect.Effect<Listed<A>, StripeRefused>
  ) =>
  (cursor: string | undefined) =>
    Effect.gen(function* () {
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const oldest = now - longestAgo
      const kept = Option.getOrUndefined(decodePosition(cursor))
      const since = Math.max(kept?.since ?? oldest, oldest)
      const until = kept?.until ?? now - Duration.toSeconds(settled)
      const asked = { created: { gte: since, lt: until }, limit: maxListed }
      const after = kept?.after ?? null
      const { data, has_more } = yield* list(after === null ? asked : { ...asked, starting_after: after }).pipe(
        // What the last page ended with is older than what Stripe shows by now: the stretch begins anew.
        Effect.catchIf(wasForgotten, () => list(asked)),
        Effect.orDie
      )
      const last = data.at(-1)
      const isLast = !has_more || last === undefined
      const next = isLast ? { since: until - overlap, until: null, after: null } : { since, until, after: last.id }
      return { data, isLast, cursor: encodePosition(next) }
    })
