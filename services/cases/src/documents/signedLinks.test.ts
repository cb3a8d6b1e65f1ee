import { randomUUID } from "node:crypto"
import { firstCell } from "@care/domain/cells"
import { anyCharacter } from "@care/domain/testing"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as fc from "fast-check"
import { type LinkClaims, makeSignedLinks } from "./signedLinks.ts"

const signedAt = new Date("2026-01-01T12:00:00.000Z")
const later = (millis: number) => new Date(signedAt.getTime() + millis)
const minutes = 60_000

const links = makeSignedLinks([Redacted.make("a secret")], "https://care.test", firstCell)

const claimsOf = (link: string): LinkClaims => {
  const { pathname, searchParams } = new URL(link)
  return {
    documentId: pathname.split("/").at(-1) ?? "",
    organizationId: searchParams.get("organizationId") ?? "",
    expires: searchParams.get("expires") ?? "",
    signature: searchParams.get("signature") ?? ""
  }
}

describe("signed links", () => {
  const documentId = randomUUID()
  const organizationId = randomUUID()
  const link = links.sign(documentId, organizationId, signedAt)
  const claims = claimsOf(link)

  it("contain the document, its organization and the expiry", () => {
    assert.isTrue(link.startsWith(`https://care.test/api/v1/documents/${documentId}?organizationId=${organizationId}&`))
    assert.strictEqual(claims.expires, String(signedAt.getTime() / 1000 + 900))
    assert.match(claims.signature, /^[A-Za-z0-9_-]{43}$/)
  })

  it("of another cell name it, and have the same signature", () => {
    const ofCell = makeSignedLinks([Redacted.make("a secret")], "https://care.test", "c2")
    const inCell = ofCell.sign(documentId, organizationId, signedAt)
    assert.strictEqual(inCell, `${link}&cell=c2`)
    assert.isTrue(links.verify(claimsOf(inCell), signedAt))
  })

  it("are valid until, not at, 15 minutes", () => {
    assert.isTrue(links.verify(claims, signedAt))
    assert.isTrue(links.verify(claims, later(15 * minutes - 1)))
    assert.isFalse(links.verify(claims, later(15 * minutes)))
    assert.isFalse(links.verify(claims, later(60 * minutes)))
  })

  it("are never valid for longer than 15 minutes", () => {
    fc.assert(
      fc.property(fc.nat(999), (millis) => {
        const own = claimsOf(links.sign(documentId, organizationId, later(millis)))
        assert.isTrue(links.verify(own, later(millis)))
        assert.isFalse(links.verify(own, later(millis + 15 * minutes)))
      })
    )
  })

  it("fail after any change of id, organization, expiry or signature", () => {
    const part = fc.constantFrom<keyof LinkClaims>("documentId", "organizationId", "expires", "signature")
    fc.assert(
      fc.property(
        part,
        fc.nat(),
        fc.string({ unit: anyCharacter, maxLength: 2 }),
        fc.nat(2),
        (name, at, text, removed) => {
          const value = claims[name]
          const index = at % (value.length + 1)
          const changed = `${value.slice(0, index)}${text}${value.slice(index + removed)}`
          fc.pre(changed !== value)
          assert.isFalse(links.verify({ ...claims, [name]: changed }, signedAt))
        }
      ),
      { numRuns: 2000 }
    )
  })

  it("fail under every other last character of the signature, though some decode to the same bytes", () => {
    for (const char of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") {
      const signature = `${claims.signature.slice(0, -1)}${char}`
      assert.strictEqual(links.verify({ ...claims, signature }, signedAt), signature === claims.signature)
    }
  })

  it("are valid under every list that has the secret that signed them, wherever it is", () => {
    const [signing, other] = [Redacted.make("a secret"), Redacted.make("another secret")]
    const behind = makeSignedLinks([other, signing], "https://care.test", firstCell)
    assert.isTrue(behind.verify(claims, signedAt))
    assert.isTrue(makeSignedLinks([signing, other], "https://care.test", firstCell).verify(claims, signedAt))
    assert.isFalse(links.verify(claimsOf(behind.sign(documentId, organizationId, signedAt)), signedAt))
  })

  it("refuse claims that are malformed or signed with another secret, and never throw", () => {
    assert.isFalse(
      makeSignedLinks([Redacted.make("another secret")], "https://care.test", firstCell).verify(claims, signedAt)
    )
    fc.assert(
      fc.property(
        fc.record({
          documentId: fc.string({ unit: anyCharacter }),
          organizationId: fc.string({ unit: anyCharacter }),
          expires: fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom("Infinity", "", "-1", "1e99", "NaN")),
          signature: fc.oneof(
            fc.string({ unit: anyCharacter }),
            fc.constant(claims.signature),
            fc.constant("\uD800".repeat(43))
          )
        }),
        (forged) => assert.isFalse(links.verify(forged, signedAt))
      )
    )
  })
})
