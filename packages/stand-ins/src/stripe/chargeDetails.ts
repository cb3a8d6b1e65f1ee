import { newId } from "./ids.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import type { PaymentMethod } from "./PaymentMethod.ts"
import type { Decline } from "./testCards.ts"

const day = 24 * 3600

// How long the amount of a card is held, which each network says: Visa less when the customer is not there.
const holdSeconds = (brand: string, isOffSession: boolean): number =>
  brand === "visa" && isOffSession ? 4.75 * day : 7 * day

/** What a charge says of its method, and until when it is held. */
export const detailsOf = ({ card, type }: PaymentMethod, intent: PaymentIntent, now: number, isOffSession: boolean) => {
  if (card === undefined) return { type, [type]: {} }
  const { checks, country, exp_month, exp_year, fingerprint, funding, last4 } = card
  const isHeld = intent.capture_method === "manual"
  return {
    type,
    card: {
      amount_authorized: intent.amount,
      authorization_code: null,
      brand: card.brand,
      ...(isHeld && { capture_before: now + holdSeconds(card.brand, isOffSession) }),
      checks,
      country,
      exp_month,
      exp_year,
      extended_authorization: { status: "disabled" },
      fingerprint,
      funding,
      incremental_authorization: { status: "unavailable" },
      installments: null,
      last4,
      mandate: null,
      multicapture: { status: "unavailable" },
      network: card.brand,
      network_token: { used: false },
      network_transaction_id: newId("nti"),
      overcapture: { maximum_amount_capturable: intent.amount, status: "unavailable" },
      regulated_status: "unregulated",
      three_d_secure: null,
      wallet: null
    }
  }
}

/** What the network said. */
export const outcomeOf = (decline: Decline | undefined) =>
  decline === undefined
    ? {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: "approved_by_network",
        reason: null,
        risk_level: "normal",
        risk_score: 20,
        seller_message: "Payment complete.",
        type: "authorized"
      }
    : {
        advice_code: null,
        network_advice_code: null,
        network_decline_code: null,
        network_status: "declined_by_network",
        reason: decline.decline_code ?? decline.code,
        risk_level: "normal",
        risk_score: 20,
        seller_message: "The bank did not accept this payment.",
        type: "issuer_declined"
      }
