import {
  ResolvedStaffSession,
  StaffRole,
  StaffSession,
  type StaffSessionKind,
  type StaffSessionState
} from "@care/domain/auth"
import { OrganizationId, type PasskeyId, type StaffSessionId, UserId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { activeStaff } from "../../people/index.ts"

interface NewSession {
  readonly organizationId: OrganizationId
  readonly id: StaffSessionId
  readonly userId: UserId
  readonly tokenHash: string
  readonly kind: StaffSessionKind
  readonly client: string | null
  readonly passkeyId: PasskeyId | null
  readonly state: StaffSessionState
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly steppedUpAt: Date | null
}

// How often the last use of a session is written.
const useMillis = 60_000

const found = rowsOf(
  Schema.Struct({
    ...ResolvedStaffSession.fields,
    isTest: Schema.Boolean,
    sandboxId: Schema.NullOr(OrganizationId),
    isUseKnown: Schema.Boolean
  })
)
const roles = rowsOf(Schema.Struct({ role: StaffRole }))
const listed = rowsOf(StaffSession)
const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId, userId: UserId }))
const surroundings = rowsOf(
  Schema.Struct({
    organizationName: Schema.String,
    sandboxId: Schema.NullOr(OrganizationId),
    hasPasskeys: Schema.Boolean,
    recoveryCodesLeft: Schema.Natural
  })
)

/** SQL of sessions of staff. A session is living until it ended, expired, or was idle too long. */
export const makeStaffSessionsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `idleSince`: a session that was not used after that has ended.
  const isLiving = (now: Date, idleSince: Date): Statement.Fragment =>
    sql`s.ended_at IS NULL AND s.expires_at > ${now} AND s.last_used_at > ${idleSince}`

  return {
    /** Returns the role of an active member of an active organization, and locks the member until the transaction ends. */
    activeRole: (organizationId: OrganizationId, userId: UserId) =>
      roles.first(sql`
        SELECT u.role FROM ${sql.literal(activeStaff)} u JOIN organizations o ON o.id = u.organization_id
        WHERE u.organization_id = ${organizationId} AND u.id = ${userId} AND NOT o.is_disabled
        FOR KEY SHARE OF u
      `),

    insert: (session: NewSession) =>
      execute(sql`INSERT INTO staff_sessions ${sql.insert({ ...session, lastUsedAt: session.createdAt })}`),

    /** Returns the living session of a token, of an active member of an active organization. `isUseKnown`: its use was written lately. */
    find: (tokenHash: string, now: Date, idleSince: Date) =>
      found.first(sql`
        SELECT s.id AS session_id, s.user_id, s.organization_id, u.role, s.state, s.stepped_up_at, s.expires_at,
               o.live_organization_id IS NOT NULL AS is_test, sandbox.id AS sandbox_id,
               s.last_used_at > ${new Date(now.getTime() - useMillis)} AS is_use_known
        FROM staff_sessions s
        JOIN ${sql.literal(activeStaff)} u ON u.organization_id = s.organization_id AND u.id = s.user_id
        JOIN organizations o ON o.id = s.organization_id
        LEFT JOIN organizations sandbox ON sandbox.live_organization_id = s.organization_id
        WHERE s.token_hash = ${tokenHash} AND ${isLiving(now, idleSince)} AND NOT o.is_disabled
      `),

    recordUse: (organizationId: OrganizationId, id: StaffSessionId, now: Date) =>
      execute(sql`
        UPDATE staff_sessions SET last_used_at = ${now}
        WHERE organization_id = ${organizationId} AND id = ${id}
          AND last_used_at <= ${new Date(now.getTime() - useMillis)}
      `),

    beganAfter: (organizationId: OrganizationId, id: StaffSessionId, time: Date) =>
      affects(sql`
        SELECT id FROM staff_sessions WHERE organization_id = ${organizationId} AND id = ${id} AND created_at > ${time}
      `),

    /** Ends a session. Returns false if it has ended already. */
    end: (organizationId: OrganizationId, id: StaffSessionId, now: Date) =>
      affects(sql`
        UPDATE staff_sessions SET ended_at = ${now}
        WHERE organization_id = ${organizationId} AND id = ${id} AND ended_at IS NULL
        RETURNING id
      `),

    /**
     * Ends all sessions of a person except the kept one. It locks them before, so that it sees the session that takes the place of one
     * meanwhile. Runs in a transaction.
     */
    endAll: (organizationId: OrganizationId, userId: UserId, kept: StaffSessionId | null, now: Date) =>
      Effect.andThen(
        execute(sql`
          SELECT id FROM staff_sessions
          WHERE organization_id = ${organizationId} AND user_id = ${userId} AND ended_at IS NULL
          ORDER BY id
          FOR UPDATE
        `),
        execute(sql`
          UPDATE staff_sessions SET ended_at = ${now}
          WHERE organization_id = ${organizationId} AND user_id = ${userId} AND ended_at IS NULL
            AND id IS DISTINCT FROM ${kept}::uuid
        `)
      ),

    /** Returns whether a session was not ended. */
    isOpen: (organizationId: OrganizationId, id: StaffSessionId) =>
      affects(sql`
        SELECT id FROM staff_sessions WHERE organization_id = ${organizationId} AND id = ${id} AND ended_at IS NULL
      `),

    list: (organizationId: OrganizationId, userId: UserId, now: Date, idleSince: Date) =>
      listed.all(sql`
        SELECT s.id, s.kind, s.client, p.name AS passkey_name, s.state, s.created_at, s.last_used_at, s.expires_at
        FROM staff_sessions s
        LEFT JOIN passkeys p ON p.organization_id = s.organization_id AND p.id = s.passkey_id
        WHERE s.organization_id = ${organizationId} AND s.user_id = ${userId} AND ${isLiving(now, idleSince)}
        ORDER BY s.created_at DESC, s.id DESC
        LIMIT 100
      `),

    /** Returns the person of a session. The path names the session alone. */
    findOwner: (id: StaffSessionId) =>
      owners.first(sql`SELECT organization_id, user_id FROM staff_sessions WHERE id = ${id}`),

    /** Returns the name of a person's organization, its sandbox, whether the person has passkeys, and how many unused recovery codes. */
    surroundings: (organizationId: OrganizationId, userId: UserId) =>
      surroundings.one(sql`
        SELECT name AS organization_name,
               (SELECT id FROM organizations sandbox WHERE live_organization_id = ${organizationId}) AS sandbox_id,
               EXISTS (SELECT FROM passkeys WHERE organization_id = ${organizationId} AND user_id = ${userId}) AS has_passkeys,
               (SELECT count(*)::integer FROM recovery_codes
                WHERE organization_id = ${organizationId} AND user_id = ${userId} AND used_at IS NULL) AS recovery_codes_left
        FROM organizations WHERE id = ${organizationId}
      `)
  }
})
