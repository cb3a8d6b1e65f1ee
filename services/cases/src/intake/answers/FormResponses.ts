import type { FormResponse } from "@care/domain/cases"
import { sealedRowsOf } from "@care/phi"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type NewestOfCase, newestOfCase } from "../../case/index.ts"
import { FormResponseRow } from "./FormResponseRow.ts"

/** The answers to the forms of cases. */
export class FormResponses extends Context.Service<FormResponses, { readonly newest: NewestOfCase<FormResponse> }>()(
  "@care/cases/forms/FormResponses"
) {
  static readonly layer = Layer.effect(
    FormResponses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const responses = yield* sealedRowsOf(FormResponseRow)
      return FormResponses.of({
        newest: Effect.fn("FormResponses.newest")(function* (...page) {
          const rows = yield* responses.all(sql`
            SELECT organization_id, id, product_id, form_id, title, content, created_at FROM form_responses
            ${newestOfCase(sql, page)}
          `)
          return rows.map(({ content, ...response }) => ({ ...response, ...content }))
        })
      })
    })
  )
}
