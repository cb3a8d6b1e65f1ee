import { Schema } from "effect"
import { type Call, emit } from "./Call.ts"
import { type Charge, chargeAt, putCharge } from "./Charge.ts"
import { pageOf } from "./pageOf.ts"
import { clearable, created, given, metadata, metadataAfter, page, text } from "./params.ts"
import { route } from "./route.ts"

const key = Schema.optionalKey

const Changes = Schema.Struct({ description: key(clearable), metadata: key(metadata), receipt_email: key(clearable) })

const update = (call: Call, { metadata, ...asked }: typeof Changes.Type, id: string): Charge => {
  const before = chargeAt(call, id)
  const after = { ...before, ...given(asked), metadata: metadataAfter(before.metadata, metadata) }
  emit(call, "charge.updated", putCharge(call, after), before)
  return after
}

const Listed = Schema.Struct({ ...page, created: key(created), customer: key(text), payment_intent: key(text) })

const listed = ({ books }: Call, asked: typeof Listed.Type) => pageOf("/v1/charges", books.all("charge"), asked)

/** Charges: the tries to take money, which payment intents make. */
export const chargeRoutes = [
  route("GET", "/v1/charges", Listed, listed),
  route("GET", "/v1/charges/:id", Schema.Struct({}), (call, _, id) => chargeAt(call, id)),
  route("POST", "/v1/charges/:id", Changes, update)
]
