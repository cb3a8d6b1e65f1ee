import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto"
import { PhiCipher } from "@care/phi"
import { execute, makeRecent, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { IdempotencyKey } from "./IdempotencyKeysRepo.ts"

const secrets = rowsOf(Schema.Struct({ secret: Schema.String }))
const movedSecrets = rowsOf(Schema.Struct({ organizationId: Schema.String, secret: Schema.String }))

/** The place of a sealed secret, also of one that came with its organization from another cell. */
export const idempotencySecretPlace = "idempotency_secrets.secret/[1]"

/**
 * Makes the function that hashes idempotency keys for storage (HMAC-SHA-256), because a key may name a patient. The service makes the secret
 * once, so that all instances compute the same hash, also after a rotation of `PHI_KEY`. An organization that came from another cell keeps
 * the secret of the service there.
 */
export const makeKeyHashes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cipher = yield* PhiCipher
  const keyOf = (sealed: string): KeyObject => createSecretKey(cipher.open(sealed, idempotencySecretPlace), "base64")
  const newSecret = cipher.seal(randomBytes(32).toString("base64"), idempotencySecretPlace)
  yield* execute(sql`INSERT INTO idempotency_secrets (id, secret) VALUES (1, ${newSecret}) ON CONFLICT DO NOTHING`)
  const ownKey = keyOf((yield* secrets.one(sql`SELECT secret FROM idempotency_secrets WHERE id = 1`)).secret)
  const movedKeys = yield* makeRecent(
    Effect.map(
      movedSecrets.all(sql`SELECT organization_id, secret FROM moved_idempotency_secrets`),
      (rows) => new Map(rows.map(({ organizationId, secret }) => [organizationId, keyOf(secret)]))
    )
  )
  return ({ key, operation, organizationId }: IdempotencyKey): Effect.Effect<string> =>
    Effect.map(movedKeys, (moved) => {
      const text = JSON.stringify([organizationId, operation, key])
      const hash = createHmac("sha256", moved.get(organizationId) ?? ownKey)
      return `hmac:${hash.update(text).digest("base64url")}`
    })
})
