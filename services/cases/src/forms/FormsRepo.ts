import { type Form, FormId, FormQuestion, OrganizationId } from "@care/domain"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/** A form as it is stored, with its questions in order. */
export const StoredForm = Schema.Struct({
  id: FormId,
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  isActive: Schema.Boolean,
  questions: Schema.Array(FormQuestion)
})
export type StoredForm = typeof StoredForm.Type

/** SQL of catalogue forms. */
export class FormsRepo extends Context.Service<
  FormsRepo,
  {
    readonly insert: (form: Form) => Effect.Effect<void>
    /**
     * Stores a form that a dynamic case brought, inside the caller's transaction, unless one with its title is there:
     * the id of the form with the title.
     */
    readonly ensure: (form: Form) => Effect.Effect<FormId>
    /** Those of the ids that are forms of the organization, with their questions, in one statement. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<FormId>
    ) => Effect.Effect<ReadonlyArray<StoredForm>>
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
      const insertQuestions = ({ id, organizationId, questions }: Form) => sql`
        INSERT INTO form_questions ${sql.insert(
          questions.map((question, index) => ({ organizationId, ...question, formId: id, index }))
        )}
      `

      const insert = ({ questions, ...form }: Form) =>
        sql.withTransaction(
          Effect.andThen(sql`INSERT INTO forms ${sql.insert(form)}`, insertQuestions({ ...form, questions }))
        )

      const findByTitle = SqlSchema.findOneOption({
        Request: Schema.Struct({ organizationId: OrganizationId, title: Schema.String }),
        Result: Schema.Struct({ id: FormId }),
        execute: ({ organizationId, title }) => sql`
          SELECT id FROM forms WHERE organization_id = ${organizationId} AND title = ${title}
          ORDER BY created_at, id
          LIMIT 1
        `
      })

      const ensure = Effect.fnUntraced(function* ({ questions, ...form }: Form) {
        const known = yield* findByTitle(form)
        if (Option.isSome(known)) return known.value.id
        const made = yield* sql`
          INSERT INTO forms ${sql.insert({ ...form, isDynamic: true })}
          ON CONFLICT (organization_id, title) WHERE is_dynamic DO NOTHING
          RETURNING id
        `
        if (made.length === 0) return Option.getOrThrow(yield* findByTitle(form)).id
        yield* insertQuestions({ ...form, questions })
        return form.id
      })

      const findAll = SqlSchema.findAll({
        Request: Schema.Struct({ organizationId: OrganizationId, ids: Schema.Array(FormId) }),
        Result: StoredForm,
        execute: ({ ids, organizationId }) => sql`
          SELECT f.id, f.title, f.description, f.is_active, (
            SELECT jsonb_agg(to_jsonb(q) - 'organization_id' - 'form_id' - 'index' ORDER BY q.index)
            FROM form_questions q WHERE q.organization_id = f.organization_id AND q.form_id = f.id
          ) AS questions
          FROM forms f
          WHERE f.organization_id = ${organizationId} AND f.id = ANY(${ids}::uuid[])
        `
      })

      return FormsRepo.of({
        insert: (form) => Effect.orDie(insert(form)),
        ensure: (form) => Effect.orDie(ensure(form)),
        findAll: (organizationId, ids) => Effect.orDie(findAll({ organizationId, ids })),
        findOwn: (organizationId, ids) =>
          Effect.orDie(Effect.map(findOwn({ organizationId, ids }), (rows) => rows.map(({ id }) => id)))
      })
    })
  )
}
