import { createHmac, createSecretKey, randomBytes } from "node:crypto"
import { PhiCipher } from "@care/phi"
import { execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { IdempotencyKey } from "./IdempotencyKeysRepo.ts"

const secrets = rowsOf(Schema.Struct({ secret: Schema.String }))

// The place of the sealed secret (`ownSealedTables`).
const place = "idempotency_secrets.secret/[1]"

/**
 * Makes the function that hashes idempotency keys for storage (HMAC-SHA-256), because a key may name a patient. The service makes the secret
 * once, so that all instances compute the same hash, also after a rotation of `PHI_KEY`.
 */
export const makeKeyHashes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const newSecret = cipher.seal(randomBytes(32).toString("base64"), place)
  yield* execute(sql`INSERT INTO idempotency_secrets (id, secret) VALUES (1, ${newSecret}) ON CONFLICT DO NOTHING`)
  const { secret } = yield* secrets.one(sql`SELECT secret FROM idempotency_secrets WHERE id = 1`)
  const hashKey = createSecretKey(cipher.open(secret, place), "base64")
  return ({ key, operation, organizationId }: IdempotencyKey): string =>
    `hmac:${createHmac("sha256", hashKey)
      .update(JSON.stringify([organizationId, operation, key]))
      .digest("base64url")}`
})
