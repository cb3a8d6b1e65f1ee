import { Schema, SchemaGetter } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { showsBodies } from "./shownAnswers.ts"

/** The text of an error: a constant, or a function of the error. */
export type ErrorText<E extends Schema.Top> = string | ((error: E["Type"]) => string)

/** The text of an error, and a description and examples for the public document. A constant text needs neither. */
type Described<E extends Schema.Top> =
  | readonly [text: string, description?: string]
  | readonly [text: Exclude<ErrorText<E>, string>, description: string, ...examples: ReadonlyArray<E["Type"]>]

/** Returns the schema of the answer to an error. Contracts list one for each error, in a form of `errorForms.ts`. */
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
      Schema.decodeTo(Schema.toType(error), {
        decode: SchemaGetter.forbidden(() => "Error bodies are only written"),
        encode: SchemaGetter.transform(write)
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
