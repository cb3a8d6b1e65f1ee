import { createHash, timingSafeEqual } from "node:crypto"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Makes the function that compares an `Authorization` header with the operator's token, in constant time. */
export const makeOperatorCheck = (adminToken: string): ((authorization: string | undefined) => boolean) => {
  const expected = digest(`Bearer ${adminToken}`)
  return (authorization) =>
    authorization !== undefined && timingSafeEqual(digest(authorization.replace(/^bearer /i, "Bearer ")), expected)
}
