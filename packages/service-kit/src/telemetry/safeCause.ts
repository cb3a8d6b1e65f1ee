import { type Cause, Predicate } from "effect"
import { SqlError } from "effect/sql"
import { printable } from "./printable.ts"

// A stack begins with the message, which may have lines that look like places.
const frames = ({ message, stack = "" }: Error): string =>
  stack
    .replace(message, () => "")
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
  // What others' servers said stays in its line, and is nothing that a terminal acts on.
  if (failure instanceof Error) {
    return `${failure.name}: ${printable(failure.message).replaceAll("\n", " ")}\n${frames(failure)}`
  }
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
