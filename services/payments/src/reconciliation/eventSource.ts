import type { SweepSource } from "@care/service"
import { type Duration, Effect } from "effect"
import type StripeClient from "stripe"
import { GatewayEvents } from "../events/index.ts"
import { Stripe } from "../stripe/index.ts"
import { makeTakeShownEvent } from "./makeTakeShownEvent.ts"
import { pagesSince } from "./pagesSince.ts"

/**
 * The events of some types that Stripe shows since a cursor, but for those that were handled: each is taken in as if it had come.
 */
export const makeEventSource = Effect.fnUntraced(function* (
  name: string,
  types: ReadonlyArray<StripeClient.Event["type"]>,
  settled: Duration.Input
) {
  const events = yield* GatewayEvents
  const take = yield* makeTakeShownEvent
  const { ask } = yield* Stripe
  const pages = pagesSince(settled, (asked) =>
    ask(undefined, "events.list", (client) => client.events.list({ ...asked, types: [...types] }))
  )

  const source: SweepSource = {
    name,
    page: Effect.fnUntraced(function* (from) {
      const { cursor, data, isLast } = yield* pages(from)
      const handled = yield* events.handledAmong(data.map(({ id }) => id))
      const differences = yield* Effect.forEach(
        data.filter(({ id }) => !handled.has(id)),
        take
      )
      return { cursor, isLast, compared: data.length, differences: differences.flat() }
    })
  }
  return source
})
