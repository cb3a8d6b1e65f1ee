import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { listPage } from "./listPage.ts"
import type { StripeEvent } from "./objects.ts"
import { createdFilter, flag, list, optional, page, text } from "./params.ts"
import { route } from "./route.ts"

const Listed = Schema.Struct({
  ...page,
  created: optional(createdFilter),
  delivery_success: optional(flag),
  type: optional(text),
  types: optional(list(text))
})

// "charge.*" matches all events that begin so.
const isOf = (type: string, pattern: string): boolean =>
  pattern.endsWith("*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern

const listed = ({ ledger }: Call, { delivery_success, type, types, ...query }: typeof Listed.Type) => {
  const patterns = [...(types ?? []), ...(type === undefined ? [] : [type])]
  const matches = (event: StripeEvent) =>
    (patterns.length === 0 || patterns.some((pattern) => isOf(event.type, pattern))) &&
    (delivery_success === undefined || delivery_success === (event.pending_webhooks === 0))
  return listPage("/v1/events", ledger.all("event").filter(matches), query)
}

/** The routes of events, delivered or not. */
export const eventRoutes = [
  route("GET", "/v1/events", Listed, listed),
  route("GET", "/v1/events/:id", Schema.Struct({}), ({ ledger }, _, id) => ledger.at("event", id))
]
