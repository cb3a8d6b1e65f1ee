import { createHmac, hkdfSync } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"
import type { SecretList } from "@care/service-kit"
import { Redacted } from "effect"

const digits = 6

const makePepper = (secret: Redacted.Redacted) => {
  const pepper = Buffer.from(hkdfSync("sha512", Redacted.value(secret), "", "care one-time codes", 64))
  const keyed = (purpose: string, id: string, text: string) =>
    createHmac("sha3-512", pepper).update(`${purpose}\n${id}\n${text}`).digest()
  return {
    /** Returns the code of a row: six digits that follow from the pepper, so that each attempt to send it has the same. */
    codeOf: (id: string) =>
      String(keyed("code", id, "").readBigUInt64BE() % 10n ** BigInt(digits)).padStart(digits, "0"),
    /** Returns the stored hash of a code: HMAC-SHA3-512 in hex, with the row's id as salt. */
    hashOf: (id: string, code: string) => keyed("hash", id, code).toString("hex"),
    /** Returns the stored hash of an identifier: HMAC-SHA3-512 in hex, different in each organization. */
    identifierHashOf: (organizationId: OrganizationId, identifier: string) =>
      keyed("identifier", organizationId, identifier).toString("hex")
  }
}

/**
 * Returns the functions that make and hash codes, with peppers derived from secrets that are not in the database. `current`, the first
 * secret's, makes codes. `all` is for codes that another process made, whose first secret is another one.
 */
export const makeCodeSecrets = ([first, ...others]: SecretList) => {
  const current = makePepper(first)
  return { current, all: [current, ...others.map(makePepper)] }
}
