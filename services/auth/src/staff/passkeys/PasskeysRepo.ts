import { Passkey } from "@care/domain/auth"
import { OrganizationId, PasskeyId, type StaffSessionId, UserId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { staffWithOwnSignIn } from "../../people/index.ts"

/** What a passkey is checked with. The key is in base64url. */
const StoredPasskey = Schema.Struct({
  organizationId: OrganizationId,
  id: PasskeyId,
  userId: UserId,
  credentialId: Schema.String,
  publicKey: Schema.String,
  transports: Schema.Array(Schema.String)
})
export type StoredPasskey = typeof StoredPasskey.Type

interface NewPasskey extends StoredPasskey {
  readonly counter: number
  readonly name: string
  readonly createdAt: Date
}

/** A challenge, for one purpose and one session. `sessionId` is null for a sign-in without one. */
export interface Challenge {
  readonly organizationId: OrganizationId
  readonly challengeHash: string
  readonly purpose: "CREATE" | "USE"
  readonly sessionId: StaffSessionId | null
}

const passkeys = rowsOf(Passkey)
const stored = rowsOf(StoredPasskey)

export const makePasskeysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const shown = sql.literal("id, name, created_at, last_used_at")
  const columns = sql.literal("organization_id, id, user_id, credential_id, public_key, transports")
  return {
    insertChallenge: (challenge: Challenge, expiresAt: Date) =>
      execute(sql`INSERT INTO passkey_challenges ${sql.insert({ ...challenge, expiresAt })}`),

    /** Removes a challenge that has not expired. One of parallel callers gets true. */
    takeChallenge: ({ challengeHash, organizationId, purpose, sessionId }: Challenge, now: Date) =>
      affects(sql`
        DELETE FROM passkey_challenges
        WHERE organization_id = ${organizationId} AND challenge_hash = ${challengeHash} AND purpose = ${purpose}
          AND session_id IS NOT DISTINCT FROM ${sessionId}::uuid AND expires_at > ${now}
        RETURNING challenge_hash
      `),

    insert: (passkey: NewPasskey) => execute(sql`INSERT INTO passkeys ${sql.insert({ ...passkey })}`),

    list: (organizationId: OrganizationId, userId: UserId) =>
      passkeys.all(sql`
        SELECT ${shown} FROM passkeys WHERE organization_id = ${organizationId} AND user_id = ${userId}
        ORDER BY created_at, id
      `),

    allOf: (organizationId: OrganizationId, userId: UserId) =>
      stored.all(sql`
        SELECT ${columns} FROM passkeys WHERE organization_id = ${organizationId} AND user_id = ${userId}
        ORDER BY created_at, id
      `),

    /** Returns a passkey by the user and the credential that it names. Before a sign-in no organization is known. */
    find: (userId: UserId, credentialId: string) =>
      stored.first(sql`SELECT ${columns} FROM passkeys WHERE user_id = ${userId} AND credential_id = ${credentialId}`),

    /** Returns whether the passkey alone signs its person in. */
    signsIn: ({ organizationId, userId }: StoredPasskey) =>
      affects(sql`
        SELECT id FROM ${sql.literal(staffWithOwnSignIn)} u WHERE organization_id = ${organizationId} AND id = ${userId}
      `),

    /** Records a use. Returns false if the signature counter did not rise, and the authenticator counts. */
    recordUse: ({ id, organizationId }: StoredPasskey, counter: number, now: Date) =>
      affects(sql`
        UPDATE passkeys SET counter = ${counter}, last_used_at = ${now}
        WHERE organization_id = ${organizationId} AND id = ${id}
          AND (counter < ${counter} OR (counter = 0 AND ${counter}::bigint = 0))
        RETURNING id
      `),

    rename: (organizationId: OrganizationId, userId: UserId, id: PasskeyId, name: string) =>
      passkeys.first(sql`
        UPDATE passkeys SET name = ${name}
        WHERE organization_id = ${organizationId} AND id = ${id} AND user_id = ${userId}
        RETURNING ${shown}
      `),

    delete: (organizationId: OrganizationId, userId: UserId, id: PasskeyId) =>
      affects(sql`
        DELETE FROM passkeys WHERE organization_id = ${organizationId} AND id = ${id} AND user_id = ${userId}
        RETURNING id
      `),

    deleteAll: (organizationId: OrganizationId, userId: UserId) =>
      execute(sql`DELETE FROM passkeys WHERE organization_id = ${organizationId} AND user_id = ${userId}`)
  }
})
