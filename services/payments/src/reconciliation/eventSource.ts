import type { SweepSource } from "@care/service"
import { type Duration, Effect } from "effect"
import type StripeClient from "stripe"
import { GatewayEvents } from "../events/index.ts"
import { Stripe } from "../stripe/index.ts"
import { makeApplyListedEvent } from "./makeApplyListedEvent.ts"
import { pagesSince } from "./pagesSince.ts"

/** Makes a source that applies the events of some types in Stripe's list that were not handled. */
export const makeEventSource = Effect.fnUntraced(function* (
  name: string,
  types: ReadonlyArray<StripeClient.Event["type"]>,
  settlingTime: Duration.Input
) {
  const events = yield* GatewayEvents
  const applyListed = yield* makeApplyListedEvent
  const { ask } = yield* Stripe
  const pages = pagesSince(settlingTime, (query) =>
    ask(undefined, "events.list", (client) => client.events.list({ ...query, types: [...types] }))
  )

  const source: SweepSource = {
    name,
    page: Effect.fnUntraced(function* (from) {
      const { cursor, data, isLast } = yield* pages(from)
      const handled = yield* events.handledAmong(data.map(({ id }) => id))
      const differences = yield* Effect.forEach(
        data.filter(({ id }) => !handled.has(id)),
        applyListed
      )
      return { cursor, isLast, compared: data.length, differences: differences.flat() }
    })
  }
  return source
})
