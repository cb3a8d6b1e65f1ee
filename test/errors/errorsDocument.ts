import { STATUS_CODES } from "node:http"
import { errorCodeHeader } from "@care/domain/http"
import { tableOf } from "../configuration/tableOf.ts"
import { type CatalogueEntry, errorCatalogue, most } from "./errorCatalogue.ts"
import { brokenJson, gatewayErrors, type ShownAnswer, shownAnswers } from "./gatewayErrors.ts"
import { whatToDo } from "./whatToDo.ts"

const introduction = `# Errors

For partners' developers. Every error of the partner API has a code in the header \`care-error-code\`. Decide by this code: it does not change,
while texts may. Some bodies have a \`code\` of their own, too, which is part of the specification.

Every answer has the header \`x-request-id\`: name it when you ask for support. Repeat a request after a 429, a 500, a 503 or a lost
connection, with the same idempotency key. Repeat no other request unchanged.`

const operationsOf = ({ operations }: CatalogueEntry): string => {
  if (operations === "any") return "Any operation."
  return operations.length >= most ? "Most operations." : operations.map((operation) => `\`${operation}\``).join(", ")
}

const shown: ReadonlyArray<readonly [code: string, answer: ShownAnswer]> = [
  ...Object.entries(shownAnswers),
  ["REQUEST_INVALID", brokenJson]
]

const answerOf = (code: string, { body, headers, request, status }: ShownAnswer): string => {
  const all = { "content-type": "application/json", [errorCodeHeader]: code, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const answer = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", JSON.stringify(body)]
  return [`${request}:`, "", "```http", ...answer, "```"].join("\n")
}

const shownOf = (code: string): ReadonlyArray<string> =>
  shown.filter(([of]) => of === code).flatMap(([, answer]) => ["", answerOf(code, answer)])

const entries = [...errorCatalogue, ...gatewayErrors].sort((one, other) => one.code.localeCompare(other.code))

const gatewayRows = shown
  .toSorted(([, one], [, other]) => one.status - other.status)
  .map(([code, { request, status }]) => [String(status), `[\`${code}\`](#${code.toLowerCase()})`, request])

const gatewaySection = [
  "## Before the operation",
  "",
  "The gateway refuses these requests itself, except a body that is not JSON. Each section shows an answer as it is on the wire; where an operation documents a form of its",
  "own for the status, the body has that form. The header `accept` is not read: every body is JSON.",
  "",
  tableOf([["status", "code", "an example"], ...gatewayRows])
].join("\n")

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
    `- Operations: ${operationsOf(entry)}`,
    ...shownOf(code)
  ].join("\n")
}

/** docs/guides/errors.md */
export const errorsDocument = [introduction, gatewaySection, ...entries.map(sectionOf)].join("\n\n")
