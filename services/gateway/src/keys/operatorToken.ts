import { createHash, timingSafeEqual } from "node:crypto"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Compares an `Authorization` header with the operator's token, in the same time wherever they differ. */
export const makeOperatorCheck = (adminToken: string): ((authorization: string | undefined) => boolean) => {
  const expected = digest(`Bearer ${adminToken}`)
  return (authorization) =>
    authorization !== undefined && timingSafeEqual(digest(authorization.replace(/^bearer /i, "Bearer ")), expected)
}
