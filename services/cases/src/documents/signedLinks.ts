import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

const validSeconds = 15 * 60

/** The unverified parts of a link to a document. */
export interface LinkClaims {
  readonly documentId: string
  readonly organizationId: string
  /** Epoch seconds. */
  readonly expires: string
  readonly signature: string
}

/**
 * Returns the functions that sign and verify links. A link lets its holder read one document for 15 minutes. The key is derived from the
 * secret. `baseUrl` has no slash at its end.
 */
export const makeSignedLinks = (secret: string, baseUrl: string) => {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "care document links", 32))

  const signatureOf = (documentId: string, organizationId: string, expires: string): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([documentId, organizationId, expires]))
      .digest("base64url")

  return {
    sign: (documentId: string, organizationId: string, now: Date): string => {
      const expires = String(Math.floor(now.getTime() / 1000) + validSeconds)
      const signature = signatureOf(documentId, organizationId, expires)
      return `${baseUrl}/api/v1/documents/${documentId}?${new URLSearchParams({ organizationId, expires, signature })}`
    },
    verify: ({ documentId, expires, organizationId, signature }: LinkClaims, now: Date): boolean => {
      // Compares the texts, because several texts of base64 decode to the same bytes.
      const expected = Buffer.from(signatureOf(documentId, organizationId, expires))
      const actual = Buffer.from(signature)
      const isGenuine = actual.length === expected.length && timingSafeEqual(actual, expected)
      return isGenuine && now.getTime() < Number(expires) * 1000
    }
  }
}
