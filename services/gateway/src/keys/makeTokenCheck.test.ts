import { assert, it } from "@effect/vitest"
import { Redacted } from "effect"
import { makeTokenCheck } from "./makeTokenCheck.ts"

it("a token is accepted with the scheme in any letter case, and no other token is", () => {
  const isAccepted = makeTokenCheck([Redacted.make("Secret-1")])
  for (const scheme of ["Bearer", "bearer", "BEARER"]) assert.isTrue(isAccepted(`${scheme} Secret-1`), scheme)
  for (const other of [
    "bearer secret-1",
    "Bearer",
    "Bearer ",
    "Secret-1",
    "Basic Secret-1",
    "Bearer Bearer Secret-1"
  ]) {
    assert.isFalse(isAccepted(other), other)
  }
  assert.isFalse(isAccepted(undefined))
})

it("every token of the list is accepted, wherever it is, and the list as a whole is not", () => {
  const isAccepted = makeTokenCheck([Redacted.make("Secret-1"), Redacted.make("Secret-2"), Redacted.make("Secret-3")])
  for (const token of ["Secret-1", "Secret-2", "Secret-3"]) assert.isTrue(isAccepted(`Bearer ${token}`), token)
  for (const other of ["Secret-4", "Secret-1,Secret-2", ""]) assert.isFalse(isAccepted(`Bearer ${other}`), other)
})
