import { callers, type Identity, type Staff } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { CurrentIdentity } from "../http/layerIdentity.ts"

/** Returns the only organization whose things a caller may see and change by their ids; undefined if there is no such bound. */
export const scopeOf = (identity: Identity | undefined): OrganizationId | undefined =>
  callers.staff.is(identity) && identity.role !== "OPERATOR" ? identity.organizationId : undefined

/** The organization of the request's person of staff; undefined for operators and all other callers. */
export const organizationScope: Effect.Effect<OrganizationId | undefined> = Effect.contextWith(
  (context: Context.Context<never>) => Effect.succeed(scopeOf(Context.get(context, CurrentIdentity)))
)

/** The person of staff who makes the request; undefined for all other callers. */
export const currentStaff: Effect.Effect<Staff | undefined> = Effect.contextWith((context: Context.Context<never>) => {
  const identity = Context.get(context, CurrentIdentity)
  return Effect.succeed(callers.staff.is(identity) ? identity : undefined)
})

/** Returns the condition that a row belongs to the scope. */
export const inScope = (
  sql: SqlClient.SqlClient,
  scope: OrganizationId | undefined,
  column = "organization_id"
): Statement.Fragment => (scope === undefined ? sql.literal("true") : sql`${sql(column)} = ${scope}`)
