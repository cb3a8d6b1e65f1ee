import { createHash, timingSafeEqual } from "node:crypto"
import { Redacted } from "effect"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Makes the function that compares an `Authorization` header with each of some bearer tokens, in constant time. */
export const makeTokenCheck = (
  tokens: ReadonlyArray<Redacted.Redacted>
): ((authorization: string | undefined) => boolean) => {
  const expected = tokens.map((token) => digest(`Bearer ${Redacted.value(token)}`))
  return (authorization) => {
    if (authorization === undefined) return false
    const actual = digest(authorization.replace(/^bearer /i, "Bearer "))
    return expected.filter((token) => timingSafeEqual(actual, token)).length > 0
  }
}
