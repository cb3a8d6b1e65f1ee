import type { FormResponse } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { sealedRowsOf } from "@care/phi"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { FormResponseRow } from "./FormResponseRow.ts"

/** What was answered to the forms of cases. */
export class FormResponses extends Context.Service<
  FormResponses,
  {
    /** The responses of a case, newest first. */
    readonly newest: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<FormResponse>>
  }
>()("@care/cases/forms/FormResponses") {
  static readonly layer = Layer.effect(
    FormResponses,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const responses = yield* sealedRowsOf(FormResponseRow)
      return FormResponses.of({
        newest: Effect.fn("FormResponses.newest")(function* (organizationId, caseId, before, limit) {
          const rows = yield* responses.all(sql`
            SELECT organization_id, id, product_id, form_id, title, content, created_at FROM form_responses
            WHERE organization_id = ${organizationId} AND case_id = ${caseId}
              AND (created_at, id) < (${before.createdAt}, ${before.id})
            ORDER BY created_at DESC, id DESC
            LIMIT ${limit}
          `)
          return rows.map(({ content, ...response }) => ({ ...response, ...content }))
        })
      })
    })
  )
}
