import { Member, type NewMember, OrganizationId, UserId } from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** An email or a phone number that belongs to another living user of the organization. */
export class IdentifierInUse extends Data.TaggedError("IdentifierInUse")<{ readonly field: "email" | "phoneNumber" }> {}

/** SQL of members (staff). */
export class MembersRepo extends Context.Service<
  MembersRepo,
  {
    readonly insert: (
      organizationId: OrganizationId,
      id: UserId,
      member: NewMember,
      now: Date
    ) => Effect.Effect<Member, IdentifierInUse>
    /** The organization of a living user: the operator's path names the user alone. */
    readonly organizationOf: (id: UserId) => Effect.Effect<Option.Option<OrganizationId>>
    /** False when the organization has no living user with this id. */
    readonly deleteUser: (organizationId: OrganizationId, id: UserId, now: Date) => Effect.Effect<boolean>
  }
>()("@care/auth/members/MembersRepo") {
  static readonly layer = Layer.effect(
    MembersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const decodeMember = Schema.decodeUnknownEffect(Schema.Tuple([Member]))

      const insert = (organizationId: OrganizationId, id: UserId, member: NewMember, now: Date) =>
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
          Effect.catchTag("SqlError", (error) => {
            const constraint = violatedConstraint(error)
            if (constraint === "users_email") return new IdentifierInUse({ field: "email" })
            if (constraint === "users_phone_number") return new IdentifierInUse({ field: "phoneNumber" })
            return Effect.die(error)
          }),
          Effect.flatMap((rows) => Effect.orDie(decodeMember(rows))),
          Effect.map(([inserted]) => inserted)
        )

      const organizationOf = SqlSchema.findOneOption({
        Request: UserId,
        Result: Schema.Struct({ organizationId: OrganizationId }),
        execute: (id) => sql`SELECT organization_id FROM users WHERE id = ${id} AND deleted_at IS NULL`
      })

      return MembersRepo.of({
        insert,
        organizationOf: (id) =>
          organizationOf(id).pipe(Effect.map(Option.map(({ organizationId }) => organizationId)), Effect.orDie),
        deleteUser: (organizationId, id, now) =>
          sql`
            UPDATE users SET deleted_at = ${now}, is_active = false, updated_at = ${now}
            WHERE organization_id = ${organizationId} AND id = ${id} AND deleted_at IS NULL
            RETURNING id
          `.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          )
      })
    })
  )
}
