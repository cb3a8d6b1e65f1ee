import { Member, type NewMember, OrganizationId, UserId } from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** An email or a phone number that belongs to another living user. */
export class IdentifierInUse extends Data.TaggedError("IdentifierInUse")<{ readonly field: "email" | "phoneNumber" }> {}

/** SQL of members (staff). */
export class MembersRepo extends Context.Service<
  MembersRepo,
  {
    readonly insertUser: (id: UserId, member: NewMember, now: Date) => Effect.Effect<void, IdentifierInUse>
    /** The living member of staff with this email and role, in any organization. */
    readonly findStaff: (email: string, role: string) => Effect.Effect<Option.Option<UserId>>
    /** False when the user has access to the organization already. */
    readonly insertAccess: (
      organizationId: OrganizationId,
      userId: UserId,
      member: NewMember,
      now: Date
    ) => Effect.Effect<boolean>
    readonly find: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<Member>
    /** False when there is no living user with this id. */
    readonly deleteUser: (id: UserId, now: Date) => Effect.Effect<boolean>
  }
>()("@care/auth/members/MembersRepo") {
  static readonly layer = Layer.effect(
    MembersRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const findStaff = SqlSchema.findOneOption({
        Request: Schema.Struct({ email: Schema.String, role: Schema.String }),
        Result: Schema.Struct({ id: UserId }),
        execute: ({ email, role }) =>
          sql`SELECT id FROM users WHERE email = ${email} AND role = ${role} AND deleted_at IS NULL`
      })

      const find = SqlSchema.findOne({
        Request: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
        Result: Member,
        execute: ({ organizationId, userId }) => sql`
          SELECT u.id, u.email, u.first_name, u.last_name, a.role, u.phone_number, u.is_active, u.created_at,
                 u.updated_at, u.title, u.title_suffix, u.npi, u.dea, a.licensed_states
          FROM users u JOIN organization_access a ON a.user_id = u.id
          WHERE a.organization_id = ${organizationId} AND u.id = ${userId}
        `
      })

      return MembersRepo.of({
        insertUser: (id, { licensedStates: _, ...member }, now) =>
          sql`INSERT INTO users ${sql.insert({
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
            createdAt: now,
            updatedAt: now
          })}`.pipe(
            Effect.asVoid,
            Effect.catchTag("SqlError", (error) => {
              const constraint = violatedConstraint(error)
              if (constraint === "users_email") return new IdentifierInUse({ field: "email" })
              if (constraint === "users_phone_number") return new IdentifierInUse({ field: "phoneNumber" })
              return Effect.die(error)
            })
          ),
        findStaff: (email, role) =>
          Effect.orDie(
            Effect.map(
              findStaff({ email, role }),
              Option.map(({ id }) => id)
            )
          ),
        insertAccess: (organizationId, userId, { licensedStates = [], role }, now) =>
          sql`
            INSERT INTO organization_access ${sql.insert({ organizationId, userId, role, licensedStates, createdAt: now })}
            ON CONFLICT DO NOTHING
            RETURNING user_id
          `.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          ),
        find: (organizationId, userId) => Effect.orDie(find({ organizationId, userId })),
        deleteUser: (id, now) =>
          sql`
            UPDATE users SET deleted_at = ${now}, is_active = false, updated_at = ${now}
            WHERE id = ${id} AND deleted_at IS NULL
            RETURNING id
          `.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          )
      })
    })
  )
}
