import { createHash } from "node:crypto"

/** The reason of a decline. */
export interface Decline {
  readonly code: string
  readonly decline_code?: string
  readonly message: string
}

/** A test card of Stripe's documentation, and how it behaves. */
export interface TestCard {
  /** `pm_card_<name>` is a payment method of this card. */
  readonly name: string
  readonly number: string
  readonly brand: string
  readonly funding: "credit" | "debit" | "prepaid"
  readonly decline?: Decline
  /** Whether only payments are declined, and saving is not. */
  readonly declinesLate?: boolean
  /** When its holder has to authenticate: always, unless it was set up for off-session payments, or on session alone. */
  readonly authentication?: "always" | "unless set up" | "on session"
  readonly dispute?: "fraudulent" | "product_not_received"
  /** How its refunds end. */
  readonly refund?: "pending" | "fails"
}

const declined = (decline_code: string, message = "Your card was declined."): Decline => ({
  code: "card_declined",
  decline_code,
  message
})

const visa = (name: string, number: string, does: Partial<TestCard> = {}): TestCard => ({
  name,
  number,
  brand: "visa",
  funding: "credit",
  ...does
})

const insufficientFunds = declined("insufficient_funds", "Your card has insufficient funds.")

const testCards: ReadonlyArray<TestCard> = [
  visa("visa", "4242424242424242"),
  visa("visa_debit", "4000056655665556", { funding: "debit" }),
  visa("mastercard", "5555555555554444", { brand: "mastercard" }),
  visa("mastercard_debit", "5200828282828210", { brand: "mastercard", funding: "debit" }),
  visa("mastercard_prepaid", "5105105105105100", { brand: "mastercard", funding: "prepaid" }),
  visa("amex", "378282246310005", { brand: "amex" }),
  visa("discover", "6011111111111117", { brand: "discover" }),
  visa("diners", "3056930009020004", { brand: "diners" }),
  visa("jcb", "3566002020360505", { brand: "jcb" }),
  visa("unionpay", "6200000000000005", { brand: "unionpay" }),
  visa("chargeDeclined", "4000000000000002", { decline: declined("generic_decline") }),
  visa("chargeDeclinedInsufficientFunds", "4000000000009995", { decline: insufficientFunds }),
  visa("chargeDeclinedLostCard", "4000000000009987", { decline: declined("lost_card") }),
  visa("chargeDeclinedStolenCard", "4000000000009979", { decline: declined("stolen_card") }),
  visa("chargeDeclinedVelocityLimitExceeded", "4000000000006975", { decline: declined("card_velocity_exceeded") }),
  visa("chargeDeclinedFraudulent", "4100000000000019", { decline: declined("fraudulent") }),
  visa("chargeDeclinedExpiredCard", "4000000000000069", {
    decline: { code: "expired_card", message: "Your card has expired." }
  }),
  visa("chargeDeclinedIncorrectCvc", "4000000000000127", {
    decline: { code: "incorrect_cvc", message: "Your card's security code is incorrect." }
  }),
  visa("chargeDeclinedProcessingError", "4000000000000119", {
    decline: { code: "processing_error", message: "An error occurred while processing your card." }
  }),
  visa("chargeCustomerFail", "4000000000000341", { decline: declined("generic_decline"), declinesLate: true }),
  visa("authenticationRequired", "4000002760003184", { authentication: "always" }),
  visa("authenticationRequiredOnSetup", "4000002500003155", { authentication: "unless set up" }),
  visa("authenticationRequiredSetupForOffSession", "4000003800000446", { authentication: "on session" }),
  visa("authenticationRequiredChargeDeclinedInsufficientFunds", "4000008260003178", {
    authentication: "always",
    decline: insufficientFunds,
    declinesLate: true
  }),
  visa("threeDSecure2Required", "4000000000003220", { authentication: "always" }),
  visa("threeDSecureRequired", "4000000000003063", { authentication: "always" }),
  visa("threeDSecureRequiredChargeDeclined", "4000008400001629", {
    authentication: "always",
    decline: declined("generic_decline"),
    declinesLate: true
  }),
  visa("createDispute", "4000000000000259", { dispute: "fraudulent" }),
  visa("createDisputeProductNotReceived", "4000000000002685", { dispute: "product_not_received" }),
  visa("pendingRefund", "4000000000007726", { refund: "pending" }),
  visa("refundFail", "4000000000005126", { refund: "fails" })
]

/** Returns the fingerprint that all payment methods of one card share. */
export const fingerprintOf = (number: string): string => createHash("sha256").update(number).digest("hex").slice(0, 16)

const byName = new Map(testCards.map((card) => [card.name, card]))
const byNumber = new Map(testCards.map((card) => [card.number, card]))
const byFingerprint = new Map(testCards.map((card) => [fingerprintOf(card.number), card]))

/** Returns the card of `pm_card_<name>` or `tok_<name>`. `visa_<name>` is an alias of the declined ones. */
export const cardNamed = (name: string): TestCard | undefined =>
  byName.get(name) ?? byName.get(name.replace(/^visa_/, ""))

export const cardNumbered = (number: string): TestCard | undefined => byNumber.get(number)

export const cardWith = (fingerprint: string): TestCard | undefined => byFingerprint.get(fingerprint)
