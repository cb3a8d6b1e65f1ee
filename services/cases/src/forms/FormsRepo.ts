import { type Form, FormId, OrganizationId } from "@care/domain"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** SQL of catalogue forms. */
export class FormsRepo extends Context.Service<
  FormsRepo,
  {
    readonly insert: (form: Form) => Effect.Effect<void>
    /** Those of the ids that are forms of the organization. */
    readonly findOwn: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<FormId>
    ) => Effect.Effect<ReadonlyArray<FormId>>
  }
>()("@care/cases/forms/FormsRepo") {
  static readonly layer = Layer.effect(
    FormsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const findOwn = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, ids: Schema.Array(FormId) }),
        Result: Schema.Struct({ id: FormId }),
        execute: ({ ids, organizationId }) =>
          sql`SELECT id FROM forms WHERE organization_id = ${organizationId} AND id = ANY(${ids}::uuid[])`
      })
      const insert = ({ questions, ...form }: Form) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`INSERT INTO forms ${sql.insert(form)}`
            const rows = questions.map((question, index) => ({ ...question, formId: form.id, index }))
            yield* sql`INSERT INTO form_questions ${sql.insert(rows)}`
          })
        )
      return FormsRepo.of({
        insert: (form) => Effect.orDie(insert(form)),
        findOwn: (organizationId, ids) =>
          Effect.orDie(Effect.map(findOwn({ organizationId, ids }), (rows) => rows.map(({ id }) => id)))
      })
    })
  )
}
