import { EmailTaken, Member, type NewMember, PhoneNumberTaken, Role } from "@care/domain/auth"
import { OrganizationId, type UserId } from "@care/domain/ids"
import { onViolation, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const members = rowsOf(Member)
const removed = rowsOf(Schema.Struct({ role: Role }))
const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

export const makeMembersRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    insert: (organizationId: OrganizationId, id: UserId, member: NewMember, now: Date) =>
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
          RETURNING id, email, first_name, last_name, role, phone_number, is_active, created_at, updated_at, title,
                    title_suffix, npi, dea, licensed_states
        `.pipe(
          onViolation("users_email", () => new EmailTaken({ email: member.email })),
          onViolation("users_phone_number", () => new PhoneNumberTaken())
        )
      ),

    /** The organization of a living user: the operator's path names the user alone. */
    findOwner: (id: UserId) =>
      owners.first(sql`SELECT organization_id FROM users WHERE id = ${id} AND deleted_at IS NULL`),

    /** What the user was. None when the organization has no living user with this id. */
    deleteUser: (organizationId: OrganizationId, id: UserId, now: Date) =>
      removed.first(sql`
        UPDATE users SET deleted_at = ${now}, is_active = false, updated_at = ${now}, version = version + 1
        WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
        RETURNING role
      `)
  }
})
