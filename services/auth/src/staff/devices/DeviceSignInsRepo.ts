import { nobodysId, OrganizationId, UserId, Uuid } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

interface NewSignIn {
  readonly id: string
  readonly deviceCodeHash: string
  readonly userCodeHash: string
  readonly askedAt: Date
  readonly expiresAt: Date
}

/** A person who approves or denies the sign-in of a device. */
interface Approver {
  readonly approverOrganizationId: OrganizationId
  readonly approverId: UserId
  readonly steppedUpAt: Date | null
}

const found = rowsOf(
  Schema.Struct({
    id: Uuid,
    state: Schema.Literals(["PENDING", "APPROVED", "DENIED", "USED"]),
    approverOrganizationId: Schema.NullOr(OrganizationId),
    approverId: Schema.NullOr(UserId),
    steppedUpAt: Schema.NullOr(Schema.Date)
  })
)

export const makeDeviceSignInsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    insert: (signIn: NewSignIn) =>
      execute(
        sql`INSERT INTO device_sign_ins ${sql.insert({ ...signIn, organizationId: nobodysId, state: "PENDING" })}`
      ),

    find: (deviceCodeHash: string, now: Date) =>
      found.first(sql`
        SELECT id, state, approver_organization_id, approver_id, stepped_up_at FROM device_sign_ins
        WHERE organization_id = ${nobodysId} AND device_code_hash = ${deviceCodeHash} AND expires_at > ${now}
      `),

    /** Records that a device asked. Returns false if it asked after `notSince`. */
    recordAsking: (id: string, now: Date, notSince: Date) =>
      affects(sql`
        UPDATE device_sign_ins SET asked_at = ${now}
        WHERE organization_id = ${nobodysId} AND id = ${id} AND asked_at <= ${notSince}
        RETURNING id
      `),

    /** Stores a person's decision. Returns false if no sign-in with the code waits for one. */
    decide: (userCodeHash: string, state: "APPROVED" | "DENIED", approver: Approver, now: Date) =>
      affects(sql`
        UPDATE device_sign_ins SET ${sql.update({ ...approver, state })}
        WHERE organization_id = ${nobodysId} AND user_code_hash = ${userCodeHash} AND state = 'PENDING'
          AND expires_at > ${now}
        RETURNING id
      `),

    /** Denies what a person has approved and no device has used yet. */
    denyApproved: (approverOrganizationId: OrganizationId, approverId: UserId) =>
      execute(sql`
        UPDATE device_sign_ins SET state = 'DENIED'
        WHERE organization_id = ${nobodysId} AND approver_organization_id = ${approverOrganizationId}
          AND approver_id = ${approverId} AND state = 'APPROVED'
      `),

    /** Marks an approved sign-in as used. One of parallel callers gets true. */
    markUsed: (id: string) =>
      affects(sql`
        UPDATE device_sign_ins SET state = 'USED'
        WHERE organization_id = ${nobodysId} AND id = ${id} AND state = 'APPROVED'
        RETURNING id
      `)
  }
})
