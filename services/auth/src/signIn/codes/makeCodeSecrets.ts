import { createHmac, hkdfSync } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"

const digits = 6

/** How codes are made and stored: under a pepper derived from a secret of the environment, which is not in the database. */
export const makeCodeSecrets = (secret: string) => {
  const pepper = Buffer.from(hkdfSync("sha512", secret, "", "care one-time codes", 64))
  const keyed = (purpose: string, id: string, text: string) =>
    createHmac("sha3-512", pepper).update(`${purpose}\n${id}\n${text}`).digest()
  return {
    /** The code of a row: six digits that nobody can tell without the pepper, the same each time its message is tried. */
    codeOf: (id: string) =>
      String(keyed("code", id, "").readBigUInt64BE() % 10n ** BigInt(digits)).padStart(digits, "0"),
    /** What is stored of a code: HMAC-SHA3-512 in hex, with the row's id as salt. */
    hashOf: (id: string, code: string) => keyed("hash", id, code).toString("hex"),
    /** What is stored of an identifier that somebody asked a code for: HMAC-SHA3-512 in hex, another in each organization. */
    identifierHashOf: (organizationId: OrganizationId, identifier: string) =>
      keyed("identifier", organizationId, identifier).toString("hex")
  }
}
