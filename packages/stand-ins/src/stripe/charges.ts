import { Schema } from "effect"
import { type Call, putWithEvent } from "./Call.ts"
import { readRoutes } from "./listPage.ts"
import type { Charge } from "./objects.ts"
import { clearable, createdFilter, definedFields, metadata, metadataAfter, optional, page, text } from "./params.ts"
import { route } from "./route.ts"

const Listed = Schema.Struct({
  ...page,
  created: optional(createdFilter),
  customer: optional(text),
  payment_intent: optional(text)
})

const Changes = Schema.Struct({
  description: optional(clearable),
  metadata: optional(metadata),
  receipt_email: optional(clearable)
})

const update = (call: Call, { metadata, ...changes }: typeof Changes.Type, id: string): Charge => {
  const before = call.ledger.at("charge", id)
  const after = { ...before, ...definedFields(changes), metadata: metadataAfter(before.metadata, metadata) }
  return putWithEvent(call, "charge", "charge.updated", after, before)
}

/** The routes of charges, which payment intents make. */
export const chargeRoutes = [
  ...readRoutes("charge", "/v1/charges", Listed),
  route("POST", "/v1/charges/:id", Changes, update)
]
