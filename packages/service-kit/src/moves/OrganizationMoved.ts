import { Data, Predicate } from "effect"
import { HttpServerResponse } from "effect/http"
import { SqlError } from "effect/sql"

/** The header in which a service names the cells, separated by commas, to which organizations moved. The gateway repeats the request there. */
export const movedToHeader = "x-care-moved-to"

/** The organization of the request is in another cell. */
export class OrganizationMoved extends Data.TaggedError("OrganizationMoved")<{ readonly cell: string }> {}

/** The answer to the gateway about an organization of another cell. */
export const movedAnswer = (cell: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 421, headers: { [movedToHeader]: cell } })

// What PostgreSQL says of an exception of `require_here`.
const raised = (failure: unknown, code: string): string | undefined => {
  const cause = SqlError.isSqlError(failure) ? failure.reason.cause : undefined
  return Predicate.hasProperty(cause, "code") && cause.code === code && Predicate.hasProperty(cause, "detail")
    ? String(cause.detail)
    : undefined
}

/** Whether a change was refused because its organization is about to move. */
export const isFrozen = (failure: unknown): boolean => raised(failure, "CM001") !== undefined

/** Returns the cell to which the organization of a failed request moved; undefined if it failed otherwise. */
export const movedTo = (failure: unknown): string | undefined =>
  failure instanceof OrganizationMoved ? failure.cell : raised(failure, "CM002")
