import { assert, it } from "@effect/vitest"
import { codeOfTag, errorCodeOf } from "./errorCode.ts"
import { KeyInvalid } from "./RequestErrors.ts"

it("the code of an error is its tag in capitals, and nothing of its data", () => {
  assert.strictEqual(codeOfTag("CaseClosed"), "CASE_CLOSED")
  assert.strictEqual(codeOfTag("OtpCode2Expired"), "OTP_CODE2_EXPIRED")
  assert.strictEqual(errorCodeOf(new KeyInvalid({ keyHash: "secret", isDisabled: false })), "KEY_INVALID")
  assert.isUndefined(errorCodeOf(new Error("secret")))
})
