import { Predicate, Schema } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/** Returns the status and the content type of an answer from its schema. `defaultStatus` is the status if the schema has none. */
export const answeredAs = (schema: Schema.Top, defaultStatus: number) => {
  const annotations = Schema.resolveAnnotations(schema)
  const encoding = annotations?.["~httpApiEncoding"]
  const contentType =
    Predicate.hasProperty(encoding, "contentType") && Predicate.isString(encoding.contentType)
      ? encoding.contentType
      : "application/json"
  return { status: annotations?.httpApiStatus ?? defaultStatus, contentType }
}

const bodies = "@care/domain/http/shownAnswers"

/** Returns the annotation that shows encoded bodies of an answer in the public document. */
export const showsBodies = (shown: ReadonlyArray<unknown>) => ({ [bodies]: shown })

/** Returns `schema` with an annotation that shows results of a handler, encoded, in the public document. */
export const showing = <S extends Schema.Codec<unknown, unknown>>(schema: S, ...values: ReadonlyArray<S["Type"]>) =>
  schema.annotate(showsBodies(values.map((value) => Schema.encodeSync(Schema.toCodecJson(schema))(value))))

/** The example of a time in the public document. */
export const shownMoment = new Date("2026-08-01T10:00:00.000Z")

/** The body of an answer, and its specific text. */
interface ShownAnswer {
  readonly status: number
  readonly contentType: string
  readonly text: string
  readonly body: unknown
}

// The first of these members that a body has is its specific text.
const specific = ["error", "detail", "message"]

const textOf = (body: unknown): string => {
  const texts = specific.map((member) => (Predicate.hasProperty(body, member) ? body[member] : undefined))
  return texts.find(Predicate.isString) ?? ""
}

const shownBy = (schema: Schema.Top, defaultStatus: number): ReadonlyArray<ShownAnswer> => {
  const shown = Schema.resolveAnnotations(schema)?.[bodies]
  return Array.isArray(shown)
    ? shown.map((body: unknown) => ({ ...answeredAs(schema, defaultStatus), text: textOf(body), body }))
    : []
}

/** Returns the example answers of an endpoint from its contract. */
export const shownAnswers = ({
  error,
  success
}: Pick<HttpApiEndpoint.Top, "error" | "success">): ReadonlyArray<ShownAnswer> => [
  ...Array.from(success).flatMap((schema) => shownBy(schema, 200)),
  ...Array.from(error).flatMap((schema) => shownBy(schema, 500))
]
