import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { validCardOf } from "./PaymentMethod.ts"
import { unknownObject } from "./Refusal.ts"
import { route } from "./route.ts"
import { cardNamed, type TestCard } from "./testCards.ts"

/** Returns the card of a token: `tok_visa` has that of `pm_card_visa`. */
export const cardOfToken = (token: string): TestCard | undefined =>
  token.startsWith("tok_") ? cardNamed(token.slice("tok_".length)) : undefined

const retrieve = ({ now }: Call, id: string) => {
  const card = cardOfToken(id)
  if (card === undefined) throw unknownObject("token", id)
  return {
    id,
    object: "token",
    card: { id: id.replace("tok_", "card_"), object: "card", ...validCardOf(card, now) },
    client_ip: null,
    created: now,
    livemode: false,
    type: "card",
    used: false
  }
}

/** The route of tokens, the older names of Stripe's test cards. */
export const tokenRoutes = [route("GET", "/v1/tokens/:id", Schema.Struct({}), (call, _, id) => retrieve(call, id))]
