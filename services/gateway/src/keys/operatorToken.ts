import { createHash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Makes the function that compares an `Authorization` header with each of the operator's tokens, in constant time. */
export const makeOperatorCheck = (
  adminTokens: ReadonlyArray<Redacted.Redacted>
): ((authorization: string | undefined) => boolean) => {
  const expected = adminTokens.map((token) => digest(`Bearer ${Redacted.value(token)}`))
  return (authorization) => {
    if (authorization === undefined) return false
    const actual = digest(authorization.replace(/^bearer /i, "Bearer "))
    return expected.filter((token) => timingSafeEqual(actual, token)).length > 0
  }
}
