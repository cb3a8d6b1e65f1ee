import { type Cause, Predicate } from "effect"
import { SqlError } from "effect/sql"
import { printable } from "./printable.ts"

// Removes the message from the stack, because it may have lines that look like frames.
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
  // The message of a SyntaxError of `JSON.parse` quotes its input.
  if (failure instanceof SyntaxError) return `SyntaxError\n${frames(failure)}`
  // A message may come from another server: it stays on one line, without control characters.
  if (failure instanceof Error) {
    return `${failure.name}: ${printable(failure.message).replaceAll("\n", " ")}\n${frames(failure)}`
  }
  return Predicate.hasProperty(failure, "_tag") ? String(failure._tag) : typeof failure
}

/** Returns a cause as text for logs. Errors of the database and of parsers have only kind and place, because they quote values. */
export const safeCause = (cause: Cause.Cause<unknown>): string =>
  cause.reasons
    .map((reason) =>
      reason._tag === "Interrupt" ? "interrupted" : describe(reason._tag === "Die" ? reason.defect : reason.error)
    )
    .join("\n")
