import { readFileSync } from "node:fs"
import { join } from "node:path"
import { makeFind, makeSite, operatorSections, partnerSections, references } from "@care/docs"
import { adminDocument, publicDocument } from "@care/gateway/openapi"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../../..")

/** What a partner's developer types, and the page or the operation that answers it. */
const questions = {
  "how do I retry": "/docs/idempotency",
  refund: "/docs/payments#hold-an-amount-capture-a-part-refund-a-part",
  signature: "/docs/webhooks#verify-the-signature",
  "test card": "/docs/testing#a-sandbox",
  "429": "/docs/errors#rate_limited",
  "rate limit": "/docs/limits",
  "401 unauthorized": "/docs/errors#key_missing",
  CASE_CLOSED: "/docs/errors#case_closed",
  "cancel appointment": "/docs/reference#tag/appointment-booking/POST/api/v1/calendar/appointments/cancel",
  "list my cases": "/docs/reference#tag/case-reading/GET/api/v1/cases",
  "rotate an api key": "/docs/api-keys",
  "go live checklist": "/docs/going-live",
  pagination: "/docs/limits",
  "pay later klarna": "/docs/payments#a-case-that-is-paid-later",
  "patient login": "/docs/sign-in",
  "delete a patient": "/docs/operators/patient-data",
  "api version": "/docs/changelog",
  "duplicate events": "/docs/webhooks#verify-the-signature",
  "missed events": "/docs/webhook-endpoints",
  "track an order": "/docs/orders",
  "webhooks on localhost": "/docs/testing#from-the-command-line",
  "hipaa encryption": "/docs/health-data",
  "typescript client": "/docs/quick-start#1-a-key",
  "save a card": "/docs/payments#save-a-payment-method",
  "promo code": "/docs/payments#promo-codes"
}

it("finds what answers the questions of a partner's developer among the first three results", async () => {
  const files = [...partnerSections, ...operatorSections].flatMap((section) => section.files)
  const [partners, operators] = references
  const { searchIndex } = await makeSite({
    texts: new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")])),
    documents: [
      [partners, publicDocument],
      [operators, adminDocument]
    ],
    pictureAt: () => ""
  })
  const find = makeFind(searchIndex)
  const firstOf = (words: string) => find(words).map(({ id }) => String(id))
  for (const [words, answer] of Object.entries(questions)) assert.include(firstOf(words).slice(0, 3), answer, words)
  assert.deepStrictEqual(firstOf("how is it"), [])
  assert.deepStrictEqual(firstOf("zzzzqqqq"), [])
})
