import { randomUUID } from "node:crypto"
import type { OrganizationNotFound } from "@care/domain/auth"
import {
  type CatalogueQuery,
  type Form,
  type FormChange,
  FormNotFound,
  type FormSummary,
  type FormTitleTaken,
  type NewForm
} from "@care/domain/cases"
import { FormId, type OrganizationId, QuestionId } from "@care/domain/ids"
import { inTransaction, oldest, type Page, pageFrom, Time } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../../case/index.ts"
import { makeFormsRepo, type StoredForm } from "./FormsRepo.ts"

/** The forms in the catalogues of organizations. */
export class Forms extends Context.Service<
  Forms,
  {
    readonly create: (organizationId: OrganizationId, form: NewForm) => Effect.Effect<Form, OrganizationNotFound>
    readonly list: (
      organizationId: OrganizationId,
      query: CatalogueQuery
    ) => Effect.Effect<Page<FormSummary>, OrganizationNotFound>
    readonly get: (organizationId: OrganizationId, id: FormId) => Effect.Effect<Form, FormNotFound>
    readonly change: (
      organizationId: OrganizationId,
      id: FormId,
      change: FormChange
    ) => Effect.Effect<Form, FormNotFound | FormTitleTaken>
    /** Returns the id of the dynamic form with this title, and stores the form if it is new. Joins the caller's transaction. */
    readonly ensure: (organizationId: OrganizationId, form: NewForm) => Effect.Effect<FormId>
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<FormId>
    ) => Effect.Effect<ReadonlyMap<FormId, StoredForm>>
    /** Fails when one of the forms is archived or not the organization's own. */
    readonly requireUsable: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<FormId>
    ) => Effect.Effect<void, FormNotFound>
  }
>()("@care/cases/forms/Forms") {
  static readonly layer = Layer.effect(
    Forms,
    Effect.gen(function* () {
      const repo = yield* makeFormsRepo
      const directory = yield* Directory
      const sql = yield* SqlClient.SqlClient

      const newForm = Effect.fnUntraced(function* (organizationId: OrganizationId, input: NewForm) {
        const form: Form = {
          id: FormId.make(randomUUID()),
          organizationId,
          title: input.title,
          description: input.description ?? null,
          questions: input.questions.map(({ hint = "", options = [], phi = false, placeholder = "", ...question }) => ({
            id: QuestionId.make(randomUUID()),
            ...question,
            phi,
            hint,
            placeholder,
            options
          })),
          isArchived: false,
          createdAt: yield* Time.nowAsDate
        }
        return form
      })

      const get = Effect.fn("Forms.get")(function* (organizationId: OrganizationId, formId: FormId) {
        const [found] = yield* repo.findAll(organizationId, [formId])
        if (found === undefined) return yield* new FormNotFound({ formId })
        const { isActive, ...form } = found
        return { ...form, organizationId, isArchived: !isActive }
      })

      return Forms.of({
        get,
        list: Effect.fn("Forms.list")(function* (organizationId, { cursor = oldest, isArchived, limit }) {
          yield* directory.requireOrganization(organizationId)
          return pageFrom(yield* repo.page(organizationId, isArchived === "true", cursor, limit + 1), limit)
        }),
        change: Effect.fn("Forms.change")(function* (organizationId, formId, change) {
          if (yield* repo.change(organizationId, formId, change)) return yield* get(organizationId, formId)
          return yield* new FormNotFound({ formId })
        }),
        create: Effect.fn("Forms.create")(function* (organizationId, input) {
          yield* directory.requireOrganization(organizationId)
          const form = yield* newForm(organizationId, input)
          yield* inTransaction(sql)(Effect.andThen(repo.insert(form), repo.insertQuestions(form)))
          return form
        }),
        ensure: Effect.fn("Forms.ensure")(function* (organizationId, input) {
          const existing = yield* repo.findByTitle(organizationId, input.title)
          if (Option.isSome(existing)) return existing.value.id
          const form = yield* newForm(organizationId, input)
          if (!(yield* repo.insertDynamic(form))) {
            return Option.getOrThrow(yield* repo.findByTitle(organizationId, input.title)).id
          }
          yield* repo.insertQuestions(form)
          return form.id
        }),
        findAll: Effect.fn("Forms.findAll")(function* (organizationId, ids) {
          const found = ids.length === 0 ? [] : yield* repo.findAll(organizationId, ids)
          return new Map(found.map((form) => [form.id, form]))
        }),
        requireUsable: Effect.fn("Forms.requireUsable")(function* (organizationId, ids) {
          const usable = new Set((yield* repo.findUsable(organizationId, ids)).map(({ id }) => id))
          const unknown = ids.find((id) => !usable.has(id))
          if (unknown !== undefined) return yield* new FormNotFound({ formId: unknown })
        })
      })
    })
  )
}
