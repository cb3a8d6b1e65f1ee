import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"

const validSeconds = 15 * 60

/** What a link to a document says, as it came in. */
export interface LinkClaims {
  readonly documentId: string
  readonly organizationId: string
  /** Epoch seconds. */
  readonly expires: string
  readonly signature: string
}

/** Links that let whoever holds them read one document for 15 minutes. */
interface SignedLinks {
  readonly sign: (documentId: string, organizationId: string, now: Date) => string
  /** False for anything that was not signed here as it is, and from the second of its expiry on. */
  readonly verify: (claims: LinkClaims, now: Date) => boolean
}

/** Signed links under a key of their own, derived from the secret. `baseUrl` has no slash at its end. */
export const makeSignedLinks = (secret: string, baseUrl: string): SignedLinks => {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "care document links", 32))

  // JSON keeps the parts apart, whatever is in them.
  const signatureOf = (documentId: string, organizationId: string, expires: string): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([documentId, organizationId, expires]))
      .digest("base64url")

  return {
    sign: (documentId, organizationId, now) => {
      const expires = String(Math.floor(now.getTime() / 1000) + validSeconds)
      const signature = signatureOf(documentId, organizationId, expires)
      return `${baseUrl}/api/v1/documents/${documentId}?${new URLSearchParams({ organizationId, expires, signature })}`
    },
    verify: ({ documentId, expires, organizationId, signature }, now) => {
      // The texts are compared, not what they decode to: base64 has several texts for the same bytes.
      const expected = Buffer.from(signatureOf(documentId, organizationId, expires))
      const given = Buffer.from(signature)
      const isGenuine = given.length === expected.length && timingSafeEqual(given, expected)
      return isGenuine && now.getTime() < Number(expires) * 1000
    }
  }
}
