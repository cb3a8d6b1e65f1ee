import { type Form, type FormChange, FormQuestion, FormSummary, FormTitleTaken } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { FormId, type OrganizationId } from "@care/domain/ids"
import { affects, execute, givenColumns, onViolation, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** A stored form, with its questions in order. */
export const StoredForm = Schema.Struct({
  id: FormId,
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  /** Whether it is not archived. */
  isActive: Schema.Boolean,
  createdAt: Schema.Date,
  questions: Schema.Array(FormQuestion)
})
export type StoredForm = typeof StoredForm.Type

const forms = rowsOf(StoredForm)
const summaries = rowsOf(FormSummary)
const ids = rowsOf(Schema.Struct({ id: FormId }))

export const makeFormsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const rowOf = ({ isArchived, questions: _, ...row }: Form) => ({ ...row, isActive: !isArchived })

  return {
    insert: (form: Form) => execute(sql`INSERT INTO forms ${sql.insert(rowOf(form))}`),

    /** Stores the form of a dynamic case. Returns false when there is such a form with its title. */
    insertDynamic: (form: Form) =>
      affects(sql`
        INSERT INTO forms ${sql.insert({ ...rowOf(form), isDynamic: true })}
        ON CONFLICT (organization_id, title) WHERE is_dynamic DO NOTHING
        RETURNING id
      `),

    page: (organizationId: OrganizationId, isArchived: boolean, after: PagePosition, limit: number) =>
      summaries.all(sql`
        SELECT id, organization_id, title, description, NOT is_active AS is_archived, created_at FROM forms
        WHERE organization_id = ${organizationId} AND is_active = ${!isArchived}::boolean
          AND (created_at, id) > (${after.createdAt}, ${after.id})
        ORDER BY created_at, id
        LIMIT ${limit}
      `),

    /** Changes a form. Returns false when the organization has no such form. */
    change: (organizationId: OrganizationId, id: FormId, { isArchived, ...change }: FormChange) => {
      const changed = { id, ...givenColumns(change), ...(isArchived !== undefined && { isActive: !isArchived }) }
      return affects(
        sql`
          UPDATE forms SET ${sql.update(changed)}
          WHERE organization_id = ${organizationId} AND id = ${id}
          RETURNING id
        `.pipe(onViolation("forms_dynamic_title", () => new FormTitleTaken()))
      )
    },

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
        SELECT f.id, f.title, f.description, f.is_active, f.created_at, (
          SELECT jsonb_agg(to_jsonb(q) - 'organization_id' - 'form_id' - 'index' ORDER BY q.index)
          FROM form_questions q WHERE q.organization_id = f.organization_id AND q.form_id = f.id
        ) AS questions
        FROM forms f
        WHERE f.organization_id = ${organizationId} AND f.id = ANY(${formIds}::uuid[])
      `),

    /** Returns those of the ids that are forms of the organization, and not archived. */
    findUsable: (organizationId: OrganizationId, formIds: ReadonlyArray<FormId>) =>
      ids.all(sql`
        SELECT id FROM forms
        WHERE organization_id = ${organizationId} AND id = ANY(${formIds}::uuid[]) AND is_active
      `)
  }
})
