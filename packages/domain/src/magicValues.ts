// What makes a chosen outcome in a sandbox. In live organizations each is a value like any other.

/** Signs in a patient to whom a code was sent, instead of that code. */
export const magicCode = "000000"

/** The state in which nobody of a sandbox's care team is licensed. */
export const unlicensedState = "GU"

/** Whether SMS do not reach this phone number. */
export const hasNoSms = (phoneNumber: string): boolean => /^\+1500555\d{4}$/.test(phoneNumber)

/** The postal code to which the pharmacy of a sandbox sends nothing. */
export const refusedPostalCode = "00000"

/** Whether the answer to the creation of a case for this email is lost. */
export const losesAnswer = (email: string): boolean => /^answer-lost(?:\+[^@]*)?@/.test(email)

/** Whether a webhook endpoint with this URL gets each event twice. */
export const isDeliveredTwice = (url: string): boolean => new URL(url).searchParams.get("deliver") === "twice"

/** Stripe's own test cards: Stripe's test mode and the stand-in know them. */
export const magicCards = {
  declined: "4000000000000002",
  authenticated: "4000002760003184",
  disputed: "4000000000000259"
}

/** All magic values, as the guide lists them. */
export const magicValues: ReadonlyArray<{ readonly value: string; readonly in: string; readonly outcome: string }> = [
  { value: magicCode, in: "one-time code", outcome: "signs in a patient to whom a code was sent" },
  { value: "+1500555....", in: "patient's phone number", outcome: "SMS to it are not delivered" },
  { value: unlicensedState, in: "patient's state", outcome: "no provider is licensed there: the case stays open" },
  { value: refusedPostalCode, in: "an order's postal code", outcome: "the pharmacy refuses the order" },
  { value: "answer-lost@", in: "new patient's email", outcome: "the case is created, and the answer is 503, once" },
  { value: "?deliver=twice", in: "webhook endpoint's URL", outcome: "each event is delivered twice" },
  { value: magicCards.declined, in: "card", outcome: "the payment is declined" },
  { value: magicCards.authenticated, in: "card", outcome: "the payment needs authentication (3-D Secure)" },
  { value: magicCards.disputed, in: "card", outcome: "the payment succeeds, and is disputed" }
]
