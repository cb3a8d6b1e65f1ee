import { type CatalogueEntry, errorCatalogue, most } from "./errorCatalogue.ts"
import { whatToDo } from "./whatToDo.ts"

const introduction = `# Errors

For partners' developers. Every error of the partner API has a code in the header \`care-error-code\`. Decide by this code: it does not change,
while texts may. Some bodies have a \`code\` of their own, too, which is part of the specification.

Every answer has the header \`x-request-id\`: name it when you ask for support. Repeat a request after a 429, a 500, a 503 or a lost
connection, with the same idempotency key. Repeat no other request unchanged. A path that does not exist answers 404, a method that a
path does not have 405, a body that is too slow 408, and one that is too large 413.

\`pnpm docs:errors\` writes this page from the contracts.`

const operationsOf = ({ operations }: CatalogueEntry): string => {
  if (operations === "any") return "Any operation."
  return operations.length >= most ? "Most operations." : operations.map((operation) => `\`${operation}\``).join(", ")
}

const sectionOf = (entry: CatalogueEntry): string => {
  const { code, reasons, statuses, texts } = entry
  const quoted = texts.map((text) => `\`${text.replaceAll("`", "'")}\``).filter((text) => !reasons.includes(text))
  return [
    `## ${code}`,
    "",
    `- Status: ${statuses.join(", ")}`,
    ...(reasons.length === 0
      ? []
      : [`- When: ${reasons.map((reason) => reason.replaceAll(/\s+/g, " ")).join("; or: ")}`]),
    ...(quoted.length === 0 ? [] : [`- Texts: ${quoted.join(", ")}`]),
    `- What to do: ${whatToDo[code] ?? ""}`,
    `- Operations: ${operationsOf(entry)}`
  ].join("\n")
}

/** docs/guides/errors.md */
export const errorsDocument = [introduction, ...errorCatalogue.map(sectionOf)].join("\n\n")
