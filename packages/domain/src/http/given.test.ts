import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { queryEmail, queryPhoneNumber, queryReceiver, queryText } from "./queryParameters.ts"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({ caseId: queryText, email: queryEmail, "phone-number": queryPhoneNumber, to: queryReceiver })
)

it("parameters of a query have one spelling, and blank ones count as missing", () => {
  assert.deepStrictEqual(decode({ caseId: " A7 ", email: " Maria@Example.com", "phone-number": " 14155552671" }), {
    caseId: "A7",
    email: "maria@example.com",
    "phone-number": "+14155552671"
  })
  assert.deepStrictEqual(decode({ "phone-number": "+14155552671", to: "14155552671 " }), {
    "phone-number": "+14155552671",
    to: "+14155552671"
  })
  assert.deepStrictEqual(decode({ to: "Maria@example.com" }), { to: "maria@example.com" })
  assert.deepStrictEqual(decode({ caseId: "", email: "  ", "phone-number": "", to: " " }), {})
})
