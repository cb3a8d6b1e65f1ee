import { Schema, SchemaGetter } from "effect"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { showsBodies } from "./shownAnswers.ts"

/** A text that is told of an error: the same one always, or one made from the error. */
export type ErrorText<E extends Schema.Top> = string | ((error: E["Type"]) => string)

/**
 * What is told of an error and when, in words for the public document; a constant text may say that itself. The document shows the
 * body of a constant text, and those of `examples` of the error where the text is made from it.
 */
type Told<E extends Schema.Top> =
  | readonly [text: string, description?: string]
  | readonly [text: Exclude<ErrorText<E>, string>, description: string, ...examples: ReadonlyArray<E["Type"]>]

/**
 * How one domain error is answered: its status and its body, and when, in words for the public document. The contract of
 * every endpoint lists one for each error it can raise, in one of the forms of `errorForms.ts`, so that handlers never build
 * error JSON and the gateway, which refuses keys, and the services, which refuse bodies, write what the same list says.
 * `shown` are bodies for the public document.
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
      Schema.decodeTo(Schema.toType(error), {
        decode: SchemaGetter.forbidden(() => "Error bodies are only written"),
        encode: SchemaGetter.transform(write)
      }),
      HttpApiSchema.status(status)
    )
    .annotate({ description, ...showsBodies(shown) })

export const textOf = <E extends Schema.Top>(text: ErrorText<E>, error: E["Type"]): string =>
  typeof text === "string" ? text : text(error)

/** The texts that the public document shows: the one that is constant, or those of `examples` of the error. */
export const shownTexts = <E extends Schema.Top>(
  text: ErrorText<E>,
  examples: ReadonlyArray<E["Type"]>
): ReadonlyArray<string> => (typeof text === "string" ? [text] : examples.map(text))

/**
 * A form of body in which errors are answered, by the text that is told. What it is left to say is the error, its status,
 * the text, and when it comes (a constant text says that itself).
 */
export const errorForm =
  <const Fields extends Schema.Struct.Fields, Status extends number = number>(
    body: Schema.Struct<Fields>,
    write: (text: string, status: Status) => Schema.Struct.Type<Fields>
  ) =>
  <E extends Schema.Top>(error: E, status: Status, ...[text, description = `\`${text}\``, ...examples]: Told<E>) =>
    errorBody(
      error,
      status,
      body,
      (value) => write(textOf(text, value), status),
      description,
      shownTexts(text, examples).map((shown) => write(shown, status))
    )

/** Any form of body, for errors that are told in all of them. */
export type ErrorForm<Status extends number> = ReturnType<
  typeof errorForm<Readonly<Record<string, Schema.Codec<unknown, unknown>>>, Status>
>
