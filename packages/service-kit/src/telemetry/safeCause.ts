import { type Cause, Predicate } from "effect"
import { SqlError } from "effect/sql"

const frames = (error: Error): string =>
  (error.stack ?? "")
    .split("\n")
    .filter((line) => line.trimStart().startsWith("at "))
    .slice(0, 12)
    .join("\n")

const describe = (failure: unknown): string => {
  if (SqlError.isSqlError(failure)) {
    const { reason } = failure
    const code = Predicate.hasProperty(reason.cause, "code") ? ` SQLSTATE ${String(reason.cause.code)}` : ""
    const constraint = reason._tag === "UniqueViolation" ? ` on ${reason.constraint}` : ""
    return `SqlError ${reason._tag}${code}${constraint}\n${frames(failure)}`
  }
  // A SyntaxError of JSON.parse quotes what it read.
  if (failure instanceof SyntaxError) return `SyntaxError\n${frames(failure)}`
  if (failure instanceof Error) return `${failure.name}: ${failure.message}\n${frames(failure)}`
  return Predicate.hasProperty(failure, "_tag") ? String(failure._tag) : typeof failure
}

/**
 * A cause as it may be logged. Errors of the database and of parsers quote the values they stumble over, which may be
 * health information, so of those only the kind and the place are told.
 */
export const safeCause = (cause: Cause.Cause<unknown>): string =>
  cause.reasons
    .map((reason) =>
      reason._tag === "Interrupt" ? "interrupted" : describe(reason._tag === "Die" ? reason.defect : reason.error)
    )
    .join("\n")
