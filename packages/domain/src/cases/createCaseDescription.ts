/** The description of case creation in the public document. */
export const createCaseDescription = `
Creates a case with its patient, products and forms in one request (API version v2.3). The patient is looked up by email, and created
if unknown. The request fills in the missing data of a known patient and does not change existing data, except the name: a different
name replaces the stored one, unless a case of the patient has been assigned to a provider (as in UPDATE_PROFILE). A phone number
belongs to one patient, because patients sign in with it: the number of another user of the organization is refused, even if two
patients share a telephone.

**OPEN** (the default): \`phoneNumber\` and \`dob\` of the patient are required. \`payment\` is optional; if it is sent, \`amount\`,
\`currency\` and \`providerReference\` are required, and the payment gateway checks it before anything is stored. The case is assigned
to a provider, the patient gets an email, and \`case.created\` is sent. If the patient has a case that is OPEN, ASSIGNED or
IN_PROGRESS, the request is refused with 409 unless \`forceCreate\` is true.

**ABANDONED**: records an unfinished checkout. Required are only \`products\`, and \`firstName\`, \`lastName\` and \`email\` of the
\`user\`. Only \`providerReference\` of a \`payment\` is required, and the other fields are ignored: no promo code is applied, and the
payment gateway does not check it. Nobody is assigned or notified, and other cases of the patient do not matter. The case opens when
its payment intent is paid, or by CHANGE_CASE_STATUS.

**Means of payment**, by \`providerReference.type\`:

- \`PAYMENT_INTENT\` (\`pi_...\`): refused if it is canceled (422), or if another case uses it, in whatever status (409). Its amount and
  currency may differ from those of \`payment\`: the payment becomes \`PAID\` when the payment gateway receives money, and operators see
  both amounts. The status \`PAID\` is refused (422) unless the intent has succeeded.
- \`SETUP_INTENT\` (\`seti_...\`): has to be confirmed in the patient's browser.
- \`PAYMENT_TOKEN\` (\`pm_...\` or \`tok_...\`): a payment method, or the token of a card.

A payment method that belongs to a customer of the payment gateway (of a setup intent, or a \`pm_...\`) becomes the patient's saved method
for all cases and replaces the previous one, unless the case is ABANDONED. It may be the method of another patient of the
organization, who then pays for this one. A method of another organization is refused with 422.

**Promo codes** are found by their code or name. The code of \`payment\` reduces the total amount. The code of a product reduces the
price of the product in the catalogue, and is applied before that of \`payment\`. Each code is applied once per case: to the total if
\`payment\` has it, or else to the first product that has it. Unknown codes count against the same rate limit as those of
\`GET /api/v1/promo-codes\`: above it, every new case with a promo code is refused with 429.

**Deferred payment** (Klarna, Affirm, Afterpay):

1. Create a payment intent: \`POST /api/v1/payments/intent\` with \`amount\` and \`paymentMethodTypes\`. Its id is the part before
   \`_secret_\` in \`data.paymentIntentSecret\`.
2. Create the case with the status ABANDONED, a \`providerReference\` of the type \`PAYMENT_INTENT\` with that id, and an idempotency key
   (400 without one).
3. Send the patient to the lender, with the whole secret and the payment gateway's client library.
4. The payment gateway reports the result to this service; you need no webhook at the payment gateway. After
   \`payment_intent.succeeded\` the payment is \`PAID\` and the case OPEN, and is processed like a new one; you receive
   \`case.payment.updated\` and \`case.opened\`. After \`payment_intent.payment_failed\` the payment stays \`UNPAID\`, and the case is closed
   with the note \`Payment intent failed\`; you receive \`case.payment.updated\` and \`case.closed\`. If an intent is paid after it failed,
   or after you closed the case, a case that is still ABANDONED is opened once. In every other status only the payment changes, and
   the case stays closed or decided.
5. To try again, create a new intent, and another case with it and a new idempotency key. The old key is refused after its case was
   closed (409, code \`IDEMPOTENCY_ERROR\`). If the patient prefers a card, save it with \`POST /api/v1/payments/setup\`, and create the
   case OPEN with a \`SETUP_INTENT\`.

**Idempotency**: send \`idempotencyKey\` in the body, or the header \`Idempotency-Key\`; the body takes precedence. The same key with the
same body returns the same case; with another body it is refused with 409. A refused request does not use up the key.

\`null\` is the same as an absent field where a field is optional. Missing or malformed fields are refused with 400, and well-formed values
that are not valid, including dates that do not exist, with 422.
`.trim()
