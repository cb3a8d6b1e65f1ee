import { type CaseId, CaseNotFound, OrganizationId } from "@care/domain"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"

/**
 * Whose a case is. The only look-up of a case that names no organization: the operator's paths name a case alone, and a
 * partner is told that a case is another organization's. Nothing else of the case is read.
 */
export class CaseOwners extends Context.Service<
  CaseOwners,
  { readonly of: (caseId: CaseId) => Effect.Effect<OrganizationId, CaseNotFound> }
>()("@care/cases/owners/CaseOwners") {
  static readonly layer = Layer.effect(
    CaseOwners,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const find = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Schema.Struct({ organizationId: OrganizationId }),
        execute: (caseId) => sql`SELECT organization_id FROM cases WHERE id = ${caseId}`
      })
      return CaseOwners.of({
        of: Effect.fn("CaseOwners.of")(function* (caseId) {
          const found = yield* Effect.orDie(find(caseId))
          return Option.isSome(found) ? found.value.organizationId : yield* new CaseNotFound()
        })
      })
    })
  )
}
