import { Organization, OrganizationId, PagePosition } from "@care/domain"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** The fields of an organization that can be changed. */
export interface OrganizationChange {
  readonly name?: string | undefined
  readonly isDisabled?: boolean | undefined
}

/** SQL of organizations. */
export class OrganizationsRepo extends Context.Service<
  OrganizationsRepo,
  {
    readonly insert: (organization: Organization) => Effect.Effect<void>
    readonly find: (id: OrganizationId) => Effect.Effect<Option.Option<Organization>>
    readonly page: (after: PagePosition, limit: number) => Effect.Effect<ReadonlyArray<Organization>>
    readonly update: (
      id: OrganizationId,
      change: OrganizationChange,
      updatedAt: Date
    ) => Effect.Effect<Option.Option<Organization>>
  }
>()("@care/auth/organizations/OrganizationsRepo") {
  static readonly layer = Layer.effect(
    OrganizationsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal("id, name, is_disabled, created_at")

      const find = SqlSchema.findOneOption({
        Request: OrganizationId,
        Result: Organization,
        execute: (id) => sql`SELECT ${columns} FROM organizations WHERE id = ${id}`
      })

      const page = SqlSchema.findAll({
        Request: Schema.Struct({ ...PagePosition.fields, limit: Schema.Int }),
        Result: Organization,
        execute: ({ createdAt, id, limit }) => sql`
          SELECT ${columns} FROM organizations
          WHERE (created_at, id) > (${createdAt}, ${id})
          ORDER BY created_at, id
          LIMIT ${limit}
        `
      })

      const update = SqlSchema.findOneOption({
        Request: Schema.Struct({
          id: OrganizationId,
          name: Schema.NullOr(Schema.String),
          isDisabled: Schema.NullOr(Schema.Boolean),
          updatedAt: Schema.Date
        }),
        Result: Organization,
        execute: ({ id, isDisabled, name, updatedAt }) => sql`
          UPDATE organizations
          SET name = coalesce(${name}, name),
              is_disabled = coalesce(${isDisabled}, is_disabled),
              updated_at = ${updatedAt}
          WHERE id = ${id}
          RETURNING ${columns}
        `
      })

      return OrganizationsRepo.of({
        insert: ({ createdAt, id, isDisabled, name }) =>
          Effect.orDie(
            sql`INSERT INTO organizations ${sql.insert({ id, name, isDisabled, createdAt, updatedAt: createdAt })}`
          ),
        find: (id) => Effect.orDie(find(id)),
        page: (after, limit) => Effect.orDie(page({ ...after, limit })),
        update: (id, { isDisabled = null, name = null }, updatedAt) =>
          Effect.orDie(update({ id, name, isDisabled, updatedAt }))
      })
    })
  )
}
