import { Effect, Schema, SchemaGetter, SchemaIssue } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { showsBodies } from "./shownAnswers.ts"

/**
 * The answer to an error, as a client reads it: an answer tells less than the domain error that it was made from. `text` says what was
 * wrong, and `at` when that was done.
 */
export class ErrorAnswer extends Schema.TaggedError<ErrorAnswer>()("ErrorAnswer", {
  status: Schema.Int,
  text: Schema.String,
  title: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  at: Schema.optionalKey(Schema.String),
  requestId: Schema.optionalKey(Schema.String)
}) {}

const textIn = (body: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = body[name]
  return typeof value === "string" ? value : undefined
}

/** Reads the body of any form of error. */
export const readErrorAnswer = (status: number, body: Readonly<Record<string, unknown>>): ErrorAnswer => {
  const [title, code, at, requestId] = ["title", "code", "at", "requestId"].map((name) => textIn(body, name))
  return new ErrorAnswer({
    status,
    text: textIn(body, "detail") ?? textIn(body, "error") ?? textIn(body, "message") ?? `Status ${status}`,
    ...(title !== undefined && { title }),
    ...(code !== undefined && { code }),
    ...(at !== undefined && { at }),
    ...(requestId !== undefined && { requestId })
  })
}

/** The text of an error: a constant, or a function of the error. */
export type ErrorText<E extends Schema.Top> = string | ((error: E["Type"]) => string)

/** The text of an error, and a description and examples for the public document. A constant text needs neither. */
type Described<E extends Schema.Top> =
  | readonly [text: string, description?: string]
  | readonly [text: Exclude<ErrorText<E>, string>, description: string, ...examples: ReadonlyArray<E["Type"]>]

/**
 * Returns the schema of the answer to an error. Contracts list one for each error, in a form of `errorForms.ts`. Servers encode the domain
 * error, and clients decode an `ErrorAnswer`.
 */
export const errorBody = <E extends Schema.Top, const Fields extends Schema.Struct.Fields>(
  error: E,
  status: number,
  form: Schema.Struct<Fields>,
  write: (error: E["Type"]) => Schema.Struct.Type<Fields>,
  description: string,
  shown: ReadonlyArray<Schema.Struct.Type<Fields>>
) =>
  form
    .pipe(
      Schema.decodeTo(Schema.Union([Schema.toType(error), Schema.toType(ErrorAnswer)]), {
        decode: SchemaGetter.transform((body) => readErrorAnswer(status, body)),
        encode: SchemaGetter.transformEffect((value, options) =>
          value instanceof ErrorAnswer
            ? Effect.fail(new SchemaIssue.Forbidden({ message: "An answer that was read is not sent" }, value, options))
            : Effect.succeed(write(value))
        )
      }),
      HttpApiSchema.status(status)
    )
    .annotate({ description, ...showsBodies(shown) })

export const textOf = <E extends Schema.Top>(text: ErrorText<E>, error: E["Type"]): string =>
  typeof text === "string" ? text : text(error)

/** Returns the texts for the public document: the constant one, or those of the examples. */
export const shownTexts = <E extends Schema.Top>(
  text: ErrorText<E>,
  examples: ReadonlyArray<E["Type"]>
): ReadonlyArray<string> => (typeof text === "string" ? [text] : examples.map(text))

/** Makes a form of body: a function that returns the answer to an error from the error, its status, its text and a description. */
export const errorForm =
  <const Fields extends Schema.Struct.Fields, Status extends number = number>(
    body: Schema.Struct<Fields>,
    write: (text: string, status: Status) => Schema.Struct.Type<Fields>
  ) =>
  <E extends Schema.Top>(error: E, status: Status, ...[text, description = `\`${text}\``, ...examples]: Described<E>) =>
    errorBody(
      error,
      status,
      body,
      (value) => write(textOf(text, value), status),
      description,
      shownTexts(text, examples).map((shown) => write(shown, status))
    )

export type ErrorForm<Status extends number> = ReturnType<
  typeof errorForm<Readonly<Record<string, Schema.Codec<unknown, unknown>>>, Status>
>
