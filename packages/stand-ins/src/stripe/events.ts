import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { pageOf } from "./pageOf.ts"
import { created, flag, list, page, text } from "./params.ts"
import { unknownObject } from "./Refusal.ts"
import { route } from "./route.ts"
import type { StripeEvent } from "./StripeEvent.ts"

const key = Schema.optionalKey

const Listed = Schema.Struct({
  ...page,
  created: key(created),
  delivery_success: key(flag),
  type: key(text),
  types: key(list(text))
})

// "charge.*" are all events that begin so.
const isOf = (type: string, pattern: string): boolean =>
  pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern

const listed = ({ books }: Call, { delivery_success, type, types, ...asked }: typeof Listed.Type) => {
  const patterns = [...(types ?? []), ...(type === undefined ? [] : [type])]
  const isAsked = (event: StripeEvent) =>
    (patterns.length === 0 || patterns.some((pattern) => isOf(event.type, pattern))) &&
    (delivery_success === undefined || delivery_success === (event.pending_webhooks === 0))
  return pageOf("/v1/events", books.all("event").filter(isAsked), asked)
}

/** Events: what happened, whether or not it could be told. */
export const eventRoutes = [
  route("GET", "/v1/events", Listed, listed),
  route("GET", "/v1/events/:id", Schema.Struct({}), ({ books }, _, id) => {
    const event = books.get("event", id)
    if (event === undefined) throw unknownObject("event", id)
    return event
  })
]
