import { SqlError } from "effect/sql"

/** The name of the constraint or index that an error violated, or undefined when it is another error. */
export const violatedConstraint = (error: unknown): string | undefined =>
  SqlError.isSqlError(error) && error.reason._tag === "UniqueViolation" ? error.reason.constraint : undefined
