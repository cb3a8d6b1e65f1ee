import { createHmac } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { execute, inTransaction, readSettings, secretText } from "@care/service-kit"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"

// What a cell has to have in common with another one from which an organization comes: what opens and verifies data, and the accounts at
// providers.
const ofEveryService = ["PHI_KEY", "INTERNAL_SECRET"]
const withTest = (names: ReadonlyArray<string>) => [...names, ...names.map((name) => `TEST_${name}`)]
const ownSecrets: Readonly<Record<ServiceName, ReadonlyArray<string>>> = {
  auth: ["JWT_SECRET"],
  cases: withTest(["PHARMACY_API_TOKEN", "PHARMACY_WEBHOOK_SECRET"]),
  payments: withTest(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"]),
  scheduling: withTest(["SCHEDULING_API_TOKEN", "SCHEDULING_WEBHOOK_SECRET"])
}

// Equal for equal secrets. A secret is too long to be guessed from it.
const fingerprintOf = (secret: string): string =>
  createHmac("sha256", secret).update("care org move").digest("base64url").slice(0, 22)

const fingerprintsOf = (name: string) =>
  Effect.map(readSettings(Config.option(secretText(name))), (found) =>
    Option.match(found, {
      onNone: () => [],
      onSome: (list) =>
        Redacted.value(list)
          .split(",")
          .map((secret) => ({ name, fingerprint: fingerprintOf(secret.trim()) }))
    })
  )

/** Stores which secrets a service accepts, as fingerprints by which `care org move` compares two cells. */
export const layerSecretFingerprints = (service: ServiceName) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const accepted = (yield* Effect.forEach([...ofEveryService, ...ownSecrets[service]], fingerprintsOf)).flat()
      yield* inTransaction(sql)(
        Effect.andThen(
          execute(sql`DELETE FROM secret_fingerprints`),
          execute(sql`
            INSERT INTO secret_fingerprints (name, fingerprint)
            SELECT name, fingerprint FROM jsonb_to_recordset(${JSON.stringify(accepted)}::jsonb) AS own (name text, fingerprint text)
            ON CONFLICT DO NOTHING
          `)
        )
      )
    })
  )
