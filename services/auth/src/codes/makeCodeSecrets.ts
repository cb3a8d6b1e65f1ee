import { createHmac, hkdfSync } from "node:crypto"
import type { OrganizationId } from "@care/domain"

/** How codes are made and stored. All need the pepper, which is not in the database. */
export interface CodeSecrets {
  /** The code of a row: six digits that nobody can tell without the pepper, the same each time its message is tried. */
  readonly codeOf: (id: string) => string
  /** What is stored of a code: HMAC-SHA3-512 in hex, with the row's id as salt. */
  readonly hashOf: (id: string, code: string) => string
  /** What is stored of an identifier that somebody asked a code for: HMAC-SHA3-512 in hex, another in each organization. */
  readonly identifierHashOf: (organizationId: OrganizationId, identifier: string) => string
}

const digits = 6

/** Makes codes under a pepper that is derived from a secret of the environment. */
export const makeCodeSecrets = (secret: string): CodeSecrets => {
  const pepper = Buffer.from(hkdfSync("sha512", secret, "", "care one-time codes", 64))
  const keyed = (purpose: string, id: string, text: string) =>
    createHmac("sha3-512", pepper).update(`${purpose}\n${id}\n${text}`).digest()
  return {
    codeOf: (id) => String(keyed("code", id, "").readBigUInt64BE() % 10n ** BigInt(digits)).padStart(digits, "0"),
    hashOf: (id, code) => keyed("hash", id, code).toString("hex"),
    identifierHashOf: (organizationId, identifier) => keyed("identifier", organizationId, identifier).toString("hex")
  }
}
