import { createHmac, hkdfSync, randomInt } from "node:crypto"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { affects, execute } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { jwtSecrets } from "../../jwtSecrets.ts"

const codeCount = 10

// Crockford's alphabet: no letters that look like digits.
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

const makeHalf = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("")

// One spelling of a code, however it was typed.
const plain = (code: string) =>
  code.toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1")

/** The recovery codes of staff, in the place of a lost passkey. They are stored as keyed hashes, and each works once. */
export class RecoveryCodes extends Context.Service<
  RecoveryCodes,
  {
    /** Makes ten codes in the place of older ones. They are shown only here. */
    readonly replace: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<ReadonlyArray<string>>
    /** Uses a code. Returns false if it is unknown or used. One of parallel callers gets true. */
    readonly use: (organizationId: OrganizationId, userId: UserId, code: string) => Effect.Effect<boolean>
    readonly removeAll: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
  }
>()("@care/auth/staff/RecoveryCodes") {
  static readonly layer = Layer.effect(
    RecoveryCodes,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const peppers = (yield* jwtSecrets).map((secret) =>
        Buffer.from(hkdfSync("sha512", Redacted.value(secret), "", "care recovery codes", 64))
      )
      const hashesOf = (userId: UserId, code: string) =>
        peppers.map((pepper) =>
          createHmac("sha3-512", pepper)
            .update(`${userId}\n${plain(code)}`)
            .digest("hex")
        )

      const removeAll = (organizationId: OrganizationId, userId: UserId) =>
        execute(sql`DELETE FROM recovery_codes WHERE organization_id = ${organizationId} AND user_id = ${userId}`)

      return RecoveryCodes.of({
        replace: Effect.fn("RecoveryCodes.replace")(function* (organizationId, userId) {
          const createdAt = yield* DateTime.nowAsDate
          const codes = Array.from({ length: codeCount }, () => `${makeHalf()}-${makeHalf()}`)
          yield* removeAll(organizationId, userId)
          const rows = codes.map((code) => {
            const [codeHash = ""] = hashesOf(userId, code)
            return { organizationId, userId, codeHash, createdAt }
          })
          yield* execute(sql`INSERT INTO recovery_codes ${sql.insert(rows)}`)
          return codes
        }),
        use: Effect.fn("RecoveryCodes.use")(function* (organizationId, userId, code) {
          const now = yield* DateTime.nowAsDate
          return yield* affects(sql`
            UPDATE recovery_codes SET used_at = ${now}
            WHERE organization_id = ${organizationId} AND user_id = ${userId}
              AND ${sql.in("code_hash", hashesOf(userId, code))} AND used_at IS NULL
            RETURNING code_hash
          `)
        }),
        removeAll
      })
    })
  )
}
