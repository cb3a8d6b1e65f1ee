/** The description of case creation in the public document. */
export const createCaseDescription = `
Creates a case with its patient, its products and their forms in one request (API version v2.3). The patient is found by the
email, or made. Of one who is there already, what is known stays, and what is missing is filled in. Another name takes the place of the known one,
unless the patient has a case that a provider was given: that locks it, as it does for UPDATE_PROFILE. A phone number is one
patient's alone, because patients sign in by it: another's is refused, also when two of them share it.

**OPEN**, the default: the patient's \`phoneNumber\` and \`dob\` are required. A \`payment\` may be left out; one that is sent needs
\`amount\`, \`currency\` and \`providerReference\`, and is checked at the payment gateway before anything is stored. The case is
assigned to a provider, the patient is told by email, and \`case.created\` is sent. While the patient has a case that is not
done, another one is a 409 without \`forceCreate\`.

**ABANDONED**: the record of a checkout that is not finished. \`firstName\`, \`lastName\` and \`email\` of the \`user\`, and
\`products\`, suffice. Of a \`payment\` only \`providerReference\` is required; nothing else of it is looked at, no promo code is used, and the
gateway is not asked. Nobody is assigned or told, and no other case of the patient stands in the way. The case opens when its
payment intent is paid, or by CHANGE_CASE_STATUS.

**What pays**, by \`providerReference.type\`:

- \`PAYMENT_INTENT\` (\`pi_...\`): not a canceled one (422), nor one that another case began with, ABANDONED or not, closed or not
  (409). Its own amount and currency need not be those of
  \`payment\`: what the gateway received counts, the payment is \`PAID\` by that, and the operator sees both. Whoever sends the status
  \`PAID\` is refused (422) unless the intent has succeeded.
- \`SETUP_INTENT\` (\`seti_...\`): confirmed in the patient's browser.
- \`PAYMENT_TOKEN\` (\`pm_...\` or \`tok_...\`): a payment method, or the token of a card.

Unless the case is ABANDONED, the method of a setup intent, or a \`pm_...\`, that a customer of the gateway has becomes what the patient
pays with, in all cases, instead of the one before. That holds also for one that was made for another patient of the
organization, who pays for this one; one of another organization is a 422.

**Promo codes**, by their code or their name: that of \`payment\` is taken off the whole amount, that of a product off its price in the
catalogue, before the whole. Each is taken off once a case, however often and by whatever name it is given: off the whole if
\`payment\` names it, or else off the first product that does. Unknown ones count as
those of \`GET /api/v1/promo-codes\` do: an organization that named too many gets a 429 for every case that names one.

**Paid later** (Klarna, Affirm, Afterpay):

1. Create an intent: \`POST /api/v1/payments/intent\` with \`amount\` and \`paymentMethodTypes\`. Its id is what precedes \`_secret_\` in
   \`data.paymentIntentSecret\`.
2. Create the case with the status ABANDONED, \`providerReference\` of the type \`PAYMENT_INTENT\` with that id, and an idempotency key: without
   one it is a 400.
3. Lead the patient to the lender, with the whole secret and the gateway's client library.
4. The gateway tells this service what became of it; you need no webhook of the gateway's. \`payment_intent.succeeded\`: the payment is
   \`PAID\` and the case OPEN, with all that follows for a new one; you are told by \`case.payment.updated\` and \`case.opened\`.
   \`payment_intent.payment_failed\`: the payment stays \`UNPAID\`, and the case is closed with the note \`Payment intent failed\`; you are
   told by \`case.payment.updated\` and \`case.closed\`. Should an intent be paid after it failed, or after you closed the case, a case that is still
   ABANDONED is opened all the same, once. In every other status, closed or not, the payment alone changes: what was closed or decided stays so.
5. To try again, make a new intent, and another case with it and a new idempotency key. The old key, once its case is closed, is a 409
   with the code \`IDEMPOTENCY_ERROR\`. Who would rather pay by card saves one by \`POST /api/v1/payments/setup\`, and the case is
   created OPEN with a \`SETUP_INTENT\`.

**Idempotency**: \`idempotencyKey\` in the body, or the header \`Idempotency-Key\`; the body's wins. The same key with the same body
answers the same case again; with another body it is a 409. What was refused leaves the key free.

\`null\` counts as absent wherever a field may be left out. A field that is missing or malformed is a 400; one of the right form
that cannot be accepted, and a date that is none, is a 422.
`.trim()
