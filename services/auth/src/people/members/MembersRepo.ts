import {
  EmailTaken,
  Member,
  type MemberChange,
  type NewMember,
  PhoneNumberTaken,
  type StaffRole
} from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { affects, execute, givenColumns, onViolation, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { activeStaff } from "../users/livingUsers.ts"

const members = rowsOf(Member)
const ids = rowsOf(Schema.Struct({ id: UserId }))
const foreignDomains = rowsOf(Schema.Struct({ domain: Schema.String }))

export const makeMembersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.literal(`
    id, email, first_name, last_name, role, phone_number, is_active, created_at, updated_at, title, title_suffix, npi, dea,
    licensed_states
  `)
  const deletion = (organizationId: OrganizationId, condition: Statement.Fragment, now: Date) => sql`
    UPDATE users SET deleted_at = ${now}, is_active = false, updated_at = ${now}, version = version + 1
    WHERE organization_id = ${organizationId} AND ${condition} AND deleted_at IS NULL
    RETURNING id
  `
  return {
    insert: (
      organizationId: OrganizationId,
      id: UserId,
      member: Omit<NewMember, "role"> & { readonly role: StaffRole },
      now: Date
    ) =>
      members.one(
        sql`
          INSERT INTO users ${sql.insert({
            organizationId,
            id,
            email: member.email,
            firstName: member.firstName,
            lastName: member.lastName,
            role: member.role,
            phoneNumber: member.phoneNumber ?? null,
            title: member.title ?? null,
            titleSuffix: member.titleSuffix ?? null,
            npi: member.npi ?? null,
            dea: member.dea ?? null,
            licensedStates: member.licensedStates ?? [],
            createdAt: now,
            updatedAt: now
          })}
          RETURNING ${columns}
        `.pipe(
          onViolation("users_email", () => new EmailTaken({ email: member.email })),
          onViolation("users_phone_number", () => new PhoneNumberTaken())
        )
      ),

    /** Locks a member, so that changes of their sign-in take turns. */
    lock: (organizationId: OrganizationId, id: UserId) =>
      execute(sql`SELECT id FROM users WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`),

    /** Returns the id of the active member of an organization's staff with this email. */
    findActive: (organizationId: OrganizationId, email: string) =>
      ids.first(sql`
        SELECT id FROM ${sql.literal(activeStaff)} s WHERE organization_id = ${organizationId} AND email = ${email}
      `),

    /** Returns the first of some domains of emails that an active member of another organization's staff has. */
    findForeignDomain: (organizationId: OrganizationId, domains: ReadonlyArray<string>) =>
      foreignDomains.first(sql`
        SELECT split_part(email, '@', 2) AS domain FROM ${sql.literal(activeStaff)} s
        WHERE split_part(email, '@', 2) IN ${sql.in(domains)} AND organization_id <> ${organizationId}
        LIMIT 1
      `),

    page: (organizationId: OrganizationId, isActive: boolean, after: PagePosition, limit: number) =>
      members.all(sql`
        SELECT ${columns} FROM users
        WHERE organization_id = ${organizationId} AND role <> 'USER' AND is_active = ${isActive}::boolean
          AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /** Changes a member. Returns none when the organization has no active member of staff with this id. The roles of operators stay. */
    change: (organizationId: OrganizationId, id: UserId, change: MemberChange, now: Date) =>
      members.first(sql`
        UPDATE users
        SET ${sql.update({ updatedAt: now, ...givenColumns(change) })}, version = version + 1
        WHERE organization_id = ${organizationId} AND id = ${id} AND role NOT IN ('USER', 'OPERATOR') AND deleted_at IS NULL
        RETURNING ${columns}
      `),

    /** Deletes a user. Returns false when the organization has no living user with this id. Operators stay. */
    deleteUser: (organizationId: OrganizationId, id: UserId, now: Date) =>
      affects(deletion(organizationId, sql`id = ${id} AND role <> 'OPERATOR'`, now)),

    deleteOperator: (organizationId: OrganizationId, id: UserId, now: Date) =>
      execute(deletion(organizationId, sql`id = ${id} AND role = 'OPERATOR'`, now))
  }
})
