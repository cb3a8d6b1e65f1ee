import { type Form, FormQuestion } from "@care/domain/cases"
import { FormId, type OrganizationId } from "@care/domain/ids"
import { affects, execute, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A stored form, with its questions in order. */
export const StoredForm = Schema.Struct({
  id: FormId,
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  isActive: Schema.Boolean,
  questions: Schema.Array(FormQuestion)
})
export type StoredForm = typeof StoredForm.Type

const forms = rowsOf(StoredForm)
const ids = rowsOf(Schema.Struct({ id: FormId }))

export const makeFormsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const rowOf = ({ questions: _, ...row }: Form) => row

  return {
    insert: (form: Form) => execute(sql`INSERT INTO forms ${sql.insert(rowOf(form))}`),

    /** Stores the form of a dynamic case. Returns false when there is such a form with its title. */
    insertDynamic: (form: Form) =>
      affects(sql`
        INSERT INTO forms ${sql.insert({ ...rowOf(form), isDynamic: true })}
        ON CONFLICT (organization_id, title) WHERE is_dynamic DO NOTHING
        RETURNING id
      `),

    insertQuestions: ({ id: formId, organizationId, questions }: Form) =>
      execute(sql`
        INSERT INTO form_questions ${sql.insert(
          questions.map((question, index) => ({ organizationId, ...question, formId, index }))
        )}
      `),

    /** Returns the id of the oldest form with a title. */
    findByTitle: (organizationId: OrganizationId, title: string) =>
      ids.first(sql`
        SELECT id FROM forms WHERE organization_id = ${organizationId} AND title = ${title}
        ORDER BY created_at, id
        LIMIT 1
      `),

    /** Returns those of the forms that are the organization's, with their questions. */
    findAll: (organizationId: OrganizationId, formIds: ReadonlyArray<FormId>) =>
      forms.all(sql`
        SELECT f.id, f.title, f.description, f.is_active, (
          SELECT jsonb_agg(to_jsonb(q) - 'organization_id' - 'form_id' - 'index' ORDER BY q.index)
          FROM form_questions q WHERE q.organization_id = f.organization_id AND q.form_id = f.id
        ) AS questions
        FROM forms f
        WHERE f.organization_id = ${organizationId} AND f.id = ANY(${formIds}::uuid[])
      `),

    /** Returns those of the ids that are forms of the organization. */
    findOwn: (organizationId: OrganizationId, formIds: ReadonlyArray<FormId>) =>
      ids.all(sql`SELECT id FROM forms WHERE organization_id = ${organizationId} AND id = ANY(${formIds}::uuid[])`)
  }
})
