import { EmailTaken, Member, type NewMember, PhoneNumberTaken } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { affects, onViolation, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

const members = rowsOf(Member)

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

    /** Deletes a user. Returns false when the organization has no living user with this id. */
    deleteUser: (organizationId: OrganizationId, id: UserId, now: Date) =>
      affects(sql`
        UPDATE users SET deleted_at = ${now}, is_active = false, updated_at = ${now}, version = version + 1
        WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
        RETURNING id
      `)
  }
})
