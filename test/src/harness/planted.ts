import { Option, Schema } from "effect"
import type { Contract } from "../../operations/contracts.ts"
import type { Request } from "../../operations/Request.ts"
import { isIn } from "./canary/markers.ts"
import { type Planting, plant, plantedIn, textsIn } from "./plant.ts"

/** The texts that are planted: what is said of patients, what an organization says of itself, and what a patient is called. */
export interface Marks {
  readonly text: string
  readonly own: string
  readonly firstName: string
  readonly lastName: string
  readonly street: string
  /** What the names, addresses and numbers of patients have in them, in lower case; the first is part of an email. */
  readonly names: ReadonlyArray<string>
  readonly phoneNumber: string
}

let numbers = 0

const next = (): number => {
  numbers += 1
  return numbers
}

// What was there is kept: an answer stays one of the options, a question about weight stays one.
const candidatesOf = (text: string, address: string, phoneNumber: string, value: unknown): ReadonlyArray<unknown> => [
  ...(typeof value === "string" ? [`${value} ${text}`] : []),
  text,
  `Aa1!${text}`,
  `https://example.com/${text}`,
  `${address}.${next()}@example.com`,
  phoneNumber,
  { note: text }
]

/** How an operation is planted with marks; `made` are the ids that its fixtures were asked for. */
const plantingOf = (
  { line: { own = [], spares = [] } }: Contract,
  marks: Marks,
  made: ReadonlySet<string>
): Planting => {
  const all = [marks.text, marks.own, ...marks.names]
  return {
    spares,
    stays: (text) => made.has(text) || all.some((mark) => isIn(text, mark)),
    candidates: (path, value) => {
      if (own === true || own.includes(path)) return candidatesOf(marks.own, marks.own, marks.phoneNumber, value)
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

const textsOfQuery = (value: unknown): Readonly<Record<string, string>> =>
  Option.getOrElse(Schema.decodeUnknownOption(Schema.Record(Schema.String, Schema.String))(value), () => ({}))

/** A request with a mark in every field whose schema takes a text, in the body, the query and as idempotency key. */
export const plantedRequest = (
  contract: Contract,
  request: Request,
  marks: Marks,
  made: ReadonlySet<string>
): Request => {
  const planting = plantingOf(contract, marks, made)
  const { action, endpoint, method } = contract
  const [body] = method === "GET" ? [] : bodiesOf(contract)
  const given = action === undefined ? request.body : { action, ...request.body }
  const query =
    endpoint.query === undefined ? undefined : textsOfQuery(plant(endpoint.query.ast, request.query ?? {}, planting))
  const takesKey = endpoint.headers !== undefined && textsIn(endpoint.headers.ast, planting).includes("idempotency-key")
  return {
    ...request,
    ...(body !== undefined && { body: Object(plant(body.ast, given ?? {}, planting)) }),
    ...(query !== undefined && { query }),
    ...(takesKey && { headers: { "idempotency-key": `${marks.text}-${next()}`, ...request.headers } })
  }
}

// The fields of an operation whose schema takes a text, but for those that are spared.
const textsOf = (contract: Contract, planting: Planting): ReadonlyArray<string> =>
  [contract.endpoint.query, ...(contract.method === "GET" ? [] : bodiesOf(contract))].flatMap((schema) =>
    schema === undefined ? [] : textsIn(schema.ast, planting)
  )

/** The fields that the line of an operation makes an exception of, and that its contract has no text for. */
export const staleExceptions = (contract: Contract, marks: Marks): ReadonlyArray<string> => {
  const { own = [], spares = [] } = contract.line
  const texts = textsOf(contract, { ...plantingOf(contract, marks, new Set()), spares: [] })
  const named = own === true ? spares : [...own, ...spares]
  return named.filter((path) => !texts.some((text) => text === path || text.startsWith(`${path}.`)))
}

/** The fields of an operation whose schema takes a text, and that no request of some had with a mark or an id. */
export const unplanted = (
  contract: Contract,
  requests: ReadonlyArray<Request>,
  marks: Marks,
  made: ReadonlySet<string>
): ReadonlyArray<string> => {
  const planting = plantingOf(contract, marks, made)
  const planted = requests.flatMap(({ body, query }) => [...plantedIn(body, planting), ...plantedIn(query, planting)])
  return [...new Set(textsOf(contract, planting))].filter(
    (text) => !planted.some((path) => path === text || path.startsWith(`${text}.`))
  )
}
