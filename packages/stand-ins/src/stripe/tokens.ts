import { Schema } from "effect"
import type { Call } from "./Call.ts"
import { cardOf, goodYear } from "./PaymentMethod.ts"
import { unknownObject } from "./Refusal.ts"
import { route } from "./route.ts"
import { cardNamed, type TestCard } from "./testCards.ts"

/** The card that a token stands for: `tok_visa` is that of `pm_card_visa`. */
export const cardOfToken = (token: string): TestCard | undefined =>
  token.startsWith("tok_") ? cardNamed(token.slice("tok_".length)) : undefined

const retrieve = ({ now }: Call, id: string) => {
  const card = cardOfToken(id)
  if (card === undefined) throw unknownObject("token", id)
  return {
    id,
    object: "token",
    card: { id: id.replace("tok_", "card_"), object: "card", ...cardOf(card, 12, goodYear(now)) },
    client_ip: null,
    created: now,
    livemode: false,
    type: "card",
    used: false
  }
}

/** Tokens: the cards of Stripe's documentation for tests, under their older names. */
export const tokenRoutes = [route("GET", "/v1/tokens/:id", Schema.Struct({}), (call, _, id) => retrieve(call, id))]
