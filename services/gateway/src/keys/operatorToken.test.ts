import { assert, it } from "@effect/vitest"
import { makeOperatorCheck } from "./operatorToken.ts"

it("the operator's token is accepted with the scheme in any letter case, and no other token is", () => {
  const isOperator = makeOperatorCheck("Secret-1")
  for (const scheme of ["Bearer", "bearer", "BEARER"]) assert.isTrue(isOperator(`${scheme} Secret-1`), scheme)
  for (const other of [
    "bearer secret-1",
    "Bearer",
    "Bearer ",
    "Secret-1",
    "Basic Secret-1",
    "Bearer Bearer Secret-1"
  ]) {
    assert.isFalse(isOperator(other), other)
  }
  assert.isFalse(isOperator(undefined))
})
