import type { SweepSource } from "@care/service"
import { DateTime, Effect, Option, Schema } from "effect"
import { Stripe } from "../stripe/index.ts"
import { makeTakeShownEvent } from "./makeTakeShownEvent.ts"
import { makeSweptPaymentsRepo } from "./SweptPaymentsRepo.ts"

const most = 20

// Its job is tried for three days, and the last time up to an hour later.
const longestTried = { days: 3, hours: 2 }

const Position = Schema.fromJsonString(Schema.Struct({ createdAt: Schema.Date, id: Schema.String }))
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

const first = { createdAt: new Date(0), id: "00000000-0000-0000-0000-000000000000" }

/** The events that came and whose jobs are tried no more: what Stripe shows of them is taken in. */
export const makeUnhandledSource = Effect.gen(function* () {
  const repo = yield* makeSweptPaymentsRepo
  const take = yield* makeTakeShownEvent
  const { ask } = yield* Stripe

  const compare = Effect.fnUntraced(function* (eventId: string) {
    const shown = yield* ask(undefined, "events.retrieve", (client) => client.events.retrieve(eventId)).pipe(
      Effect.map(Option.some),
      Effect.catchIf(
        ({ code }) => code === "resource_missing",
        () => Effect.succeedNone
      ),
      Effect.orDie
    )
    if (Option.isSome(shown)) return yield* take(shown.value)
    const what = "An event was not handled, and Stripe does not show it any more"
    return [{ action: "REPORTED" as const, what, id: eventId, organizationId: null }]
  })

  const source: SweepSource = {
    name: "unhandled-events",
    page: Effect.fnUntraced(function* (cursor) {
      const after = Option.getOrElse(decodePosition(cursor), () => first)
      const until = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, longestTried))
      const events = yield* repo.unhandled(after, until, most)
      const differences = yield* Effect.forEach(events, ({ eventId }) => compare(eventId))
      const last = events.at(-1)
      return {
        cursor: last === undefined ? "" : encodePosition(last),
        isLast: last === undefined,
        compared: events.length,
        differences: differences.flat()
      }
    })
  }
  return source
})
