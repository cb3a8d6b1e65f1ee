import { type CaseId, CaseNotFound, OrganizationId } from "@care/domain"
import { rowsOf } from "@care/service-kit"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

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
      return CaseOwners.of({
        of: Effect.fn("CaseOwners.of")(function* (caseId) {
          const found = yield* owners.first(sql`SELECT organization_id FROM cases WHERE id = ${caseId}`)
          return Option.isSome(found) ? found.value.organizationId : yield* new CaseNotFound()
        })
      })
    })
  )
}
