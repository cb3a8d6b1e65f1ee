import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto"
import { firstCell } from "@care/domain/cells"
import type { SecretList } from "@care/service-kit"
import { Redacted } from "effect"

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
 * Returns the functions that sign and verify links. A link lets its holder read one document for 15 minutes. The key is derived from a
 * secret: the first signs, and all verify. `baseUrl` has no slash at its end. Links of another cell than the
 * first name it to the gateway.
 */
export const makeSignedLinks = ([first, ...others]: SecretList, baseUrl: string, cell: string) => {
  const keyOf = (secret: Redacted.Redacted) =>
    Buffer.from(hkdfSync("sha256", Redacted.value(secret), "", "care document links", 32))
  const signingKey = keyOf(first)
  const keys = [signingKey, ...others.map(keyOf)]

  const signatureOf = (key: Buffer, documentId: string, organizationId: string, expires: string): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([documentId, organizationId, expires]))
      .digest("base64url")

  return {
    sign: (documentId: string, organizationId: string, now: Date): string => {
      const expires = String(Math.floor(now.getTime() / 1000) + validSeconds)
      const signature = signatureOf(signingKey, documentId, organizationId, expires)
      return `${baseUrl}/api/v1/documents/${documentId}?${new URLSearchParams({ organizationId, expires, signature, ...(cell !== firstCell && { cell }) })}`
    },
    verify: ({ documentId, expires, organizationId, signature }: LinkClaims, now: Date): boolean => {
      const actual = Buffer.from(signature)
      // Compares the texts, because several texts of base64 decode to the same bytes.
      const isSignedWith = (key: Buffer) => {
        const expected = Buffer.from(signatureOf(key, documentId, organizationId, expires))
        return actual.length === expected.length && timingSafeEqual(actual, expected)
      }
      return keys.some(isSignedWith) && now.getTime() < Number(expires) * 1000
    }
  }
}
