import { Predicate, Schema } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { answeredAs } from "./answeredAs.ts"

const bodies = "@care/domain/http/shownAnswers"

/** The annotation of an answer's schema that shows bodies of it, as they are sent, in the public document. */
export const showsBodies = (shown: ReadonlyArray<unknown>) => ({ [bodies]: shown })

/** Shows a success in the public document: what a handler returns, written as it is sent. */
export const showing = <S extends Schema.Codec<unknown, unknown>>(schema: S, ...values: ReadonlyArray<S["Type"]>) =>
  schema.annotate(showsBodies(values.map((value) => Schema.encodeSync(Schema.toCodecJson(schema))(value))))

/** A time as the public document shows it. */
export const shownMoment = new Date("2026-08-01T10:00:00.000Z")

/** A body that an endpoint answers with, and the text that it tells. */
interface ShownAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly body: unknown
}

// Of these members the first that a body has is what it tells of the request; others say what is wrong in general.
const telling = ["error", "detail", "message"]

const textOf = (body: unknown): string => {
  const texts = telling.map((member) => (Predicate.hasProperty(body, member) ? body[member] : undefined))
  return texts.find(Predicate.isString) ?? ""
}

const shownBy = (schema: Schema.Top, usual: number): ReadonlyArray<ShownAnswer> => {
  const shown = Schema.resolveAnnotations(schema)?.[bodies]
  return Array.isArray(shown)
    ? shown.map((body: unknown) => ({ ...answeredAs(schema, usual), text: textOf(body), body }))
    : []
}

/** The answers of an endpoint that have a text of their own, from its contract. */
export const shownAnswers = ({
  error,
  success
}: Pick<HttpApiEndpoint.Top, "error" | "success">): ReadonlyArray<ShownAnswer> => [
  ...Array.from(success).flatMap((schema) => shownBy(schema, 200)),
  ...Array.from(error).flatMap((schema) => shownBy(schema, 500))
]
