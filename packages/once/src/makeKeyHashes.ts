import { createHmac, createSecretKey, randomBytes } from "node:crypto"
import type { OrganizationId } from "@care/domain/ids"
import { PhiCipher } from "@care/phi"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An idempotency key as a caller gave it, or what one is made of. */
interface GivenKey {
  readonly organizationId: OrganizationId
  readonly operation: string
  readonly key: string
}

const secrets = rowsOf(Schema.Struct({ secret: Schema.String }))

// What it is sealed for (`ownSealedTables`).
const place = "idempotency_secrets.secret/[1]"

/**
 * Makes what is stored of an idempotency key: HMAC-SHA-256 under a secret of the service, because a caller may have put
 * anything into the key, and a patient who is erased must not stay in it. The secret is made once a service: what several instances
 * and several keys of `PHI_KEY` hash is the same, so that a repeat is always found.
 */
export const makeKeyHashes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const fresh = cipher.seal(randomBytes(32).toString("base64"), place)
  yield* execute(sql`INSERT INTO idempotency_secrets (id, secret) VALUES (1, ${fresh}) ON CONFLICT DO NOTHING`)
  const { secret } = yield* secrets.one(sql`SELECT secret FROM idempotency_secrets WHERE id = 1`)
  const hashing = createSecretKey(cipher.open(secret, place), "base64")
  return ({ key, operation, organizationId }: GivenKey): string =>
    `hmac:${createHmac("sha256", hashing)
      .update(JSON.stringify([organizationId, operation, key]))
      .digest("base64url")}`
})
