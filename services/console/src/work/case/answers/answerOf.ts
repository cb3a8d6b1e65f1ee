import type { FormAnswer } from "@care/domain/cases"
import { Option, Schema } from "effect"
import { inWords } from "../../../ui/words.ts"
import { dayInWords } from "../words.ts"

/** What an answer shows: a text, files by their ids and names, or nothing because there is none. */
export type ShownAnswer =
  | { readonly kind: "none" }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "files"; readonly files: ReadonlyArray<{ readonly documentId: string; readonly name: string }> }

const text = (shown: string): ShownAnswer => ({ kind: "text", text: shown })

const read = <A>(schema: Schema.Codec<A, unknown>) => Schema.decodeUnknownOption(Schema.fromJsonString(schema))

const readFiles = read(Schema.Array(Schema.Struct({ name: Schema.String, documentId: Schema.String })))
const readChoices = read(Schema.Array(Schema.String))
const readRange = read(Schema.Struct({ startDate: Schema.String, endDate: Schema.NullOr(Schema.String) }))
const amount = Schema.Union([Schema.String, Schema.Finite])
const readMeasures = read(Schema.Struct({ height: amount, weight: amount, bmi: amount }))

const formats: Readonly<Record<string, (answer: string) => Option.Option<ShownAnswer>>> = {
  BOOLEAN: (answer) => Option.some(text(answer === "true" ? "Yes" : answer === "false" ? "No" : answer)),
  DATE: (answer) => Option.some(text(dayInWords(answer))),
  DATERANGE: (answer) =>
    Option.map(readRange(answer), ({ endDate, startDate }) =>
      text(`${dayInWords(startDate)} to ${endDate === null ? "now" : dayInWords(endDate)}`)
    ),
  MULTISELECT: (answer) => Option.map(readChoices(answer), (choices) => text(choices.join(", "))),
  FILE: (answer) => Option.map(readFiles(answer), (files) => ({ kind: "files", files })),
  WIDGET_USER_ID_DOCUMENT: (answer) => Option.map(readFiles(answer), (files) => ({ kind: "files", files })),
  WIDGET_BMI: (answer) =>
    Option.map(readMeasures(answer), ({ bmi, height, weight }) =>
      text(`Height ${height} in, weight ${weight} lb, BMI ${bmi}`)
    ),
  WIDGET_VISIT_TYPE: (answer) => Option.some(text(inWords(answer)))
}

/** Returns what to show of the answer to a question. An answer of another form than its type's is shown as it is. */
export const answerOf = ({ answer, type }: Pick<FormAnswer, "answer" | "type">): ShownAnswer => {
  if (answer.trim() === "") return { kind: "none" }
  return Option.getOrElse(formats[type]?.(answer) ?? Option.none(), () => text(answer))
}
