import { Option, Schema } from "effect"
import type { Contract } from "../../operations/contracts.ts"
import type { Request } from "../../operations/Request.ts"
import { containsMarker } from "./canary/markers.ts"
import { insertMarks, type MarkRules, markedFieldsIn, textFieldsIn } from "./insertMarks.ts"

/** The marks: in texts about patients, in texts about the organization, and in the identity of patients. */
export interface Marks {
  readonly text: string
  readonly organizationText: string
  readonly firstName: string
  readonly lastName: string
  readonly street: string
  /** The parts of patients' names, addresses and numbers that are searched for, in lower case. The first is part of an email. */
  readonly names: ReadonlyArray<string>
  readonly phoneNumber: string
}

let lastNumber = 0

const next = (): number => {
  lastNumber += 1
  return lastNumber
}

// The first candidate keeps the value, so that an answer stays one of the options, and a question keeps its meaning.
const candidatesOf = (text: string, address: string, phoneNumber: string, value: unknown): ReadonlyArray<unknown> => [
  ...(typeof value === "string" ? [`${value} ${text}`] : []),
  text,
  `Aa1!${text}`,
  `https://example.com/${text}`,
  `${address}.${next()}@example.com`,
  phoneNumber,
  { note: text }
]

/** Returns the rules for marking requests of an operation. `fixtureTexts` are the ids and texts that the fixtures returned. */
const markRulesFor = (
  { entry: { organizationFields = [], unmarkedFields = [] } }: Contract,
  marks: Marks,
  fixtureTexts: ReadonlySet<string>
): MarkRules => {
  const all = [marks.text, marks.organizationText, ...marks.names]
  return {
    unmarkedFields,
    isKept: (text) => fixtureTexts.has(text) || all.some((mark) => containsMarker(text, mark)),
    candidates: (path, value) => {
      if (organizationFields === true || organizationFields.includes(path))
        return candidatesOf(marks.organizationText, marks.organizationText, marks.phoneNumber, value)
      if (/\bfirstName$/.test(path)) return [marks.firstName]
      if (/\blastName$/.test(path)) return [marks.lastName]
      if (/\b(address2?|addressLine[12]|city|line[12]|postalCode|postal_code)$/.test(path)) {
        return candidatesOf(marks.street, marks.street, marks.phoneNumber, value)
      }
      return candidatesOf(marks.text, marks.names[0] ?? marks.text, marks.phoneNumber, value)
    }
  }
}

const bodiesOf = ({ endpoint }: Contract) =>
  [...endpoint.payload.values()].flatMap(({ schemas }) => schemas.map((payload) => Schema.toCodecJson(payload)))

const decodeQuery = (value: unknown): Readonly<Record<string, string>> =>
  Option.getOrElse(Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.String))(value), () => ({}))

/** Returns a request with a mark in every text field of its body and query, and in the idempotency key. */
export const markedRequest = (
  contract: Contract,
  request: Request,
  marks: Marks,
  fixtureTexts: ReadonlySet<string>
): Request => {
  const rules = markRulesFor(contract, marks, fixtureTexts)
  const { action, endpoint, method } = contract
  const [body] = method === "GET" ? [] : bodiesOf(contract)
  const withAction = action === undefined ? request.body : { action, ...request.body }
  const query =
    endpoint.query === undefined ? undefined : decodeQuery(insertMarks(endpoint.query.ast, request.query ?? {}, rules))
  const takesKey =
    endpoint.headers !== undefined && textFieldsIn(endpoint.headers.ast, rules).includes("idempotency-key")
  return {
    ...request,
    ...(body !== undefined && { body: Object(insertMarks(body.ast, withAction ?? {}, rules)) }),
    ...(query !== undefined && { query }),
    ...(takesKey && { headers: { "idempotency-key": `${marks.text}-${next()}`, ...request.headers } })
  }
}

// Returns the text fields of an operation, except its unmarked ones.
const textFieldsOf = (contract: Contract, rules: MarkRules): ReadonlyArray<string> =>
  [contract.endpoint.query, ...(contract.method === "GET" ? [] : bodiesOf(contract))].flatMap((schema) =>
    schema === undefined ? [] : textFieldsIn(schema.ast, rules)
  )

/** Returns the exceptions in the entry of an operation that name no text field of its contract. */
export const staleExceptions = (contract: Contract, marks: Marks): ReadonlyArray<string> => {
  const { organizationFields = [], unmarkedFields = [] } = contract.entry
  const texts = textFieldsOf(contract, { ...markRulesFor(contract, marks, new Set()), unmarkedFields: [] })
  const named = organizationFields === true ? unmarkedFields : [...organizationFields, ...unmarkedFields]
  return named.filter((path) => !texts.some((text) => text === path || text.startsWith(`${path}.`)))
}

/** Returns the text fields of an operation that had no mark or fixture text in any of the requests. */
export const unmarkedFieldsOf = (
  contract: Contract,
  requests: ReadonlyArray<Request>,
  marks: Marks,
  fixtureTexts: ReadonlySet<string>
): ReadonlyArray<string> => {
  const rules = markRulesFor(contract, marks, fixtureTexts)
  const marked = requests.flatMap(({ body, query }) => [
    ...markedFieldsIn(body, rules),
    ...markedFieldsIn(query, rules)
  ])
  return [...new Set(textFieldsOf(contract, rules))].filter(
    (text) => !marked.some((path) => path === text || path.startsWith(`${text}.`))
  )
}
