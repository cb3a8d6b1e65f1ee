import type { QuestionType } from "./Form.ts"

/** The description of an answer's format, and an example. */
interface AnswerFormat {
  readonly text: string
  readonly example: unknown
}

const sameFormat = (text: string, example: unknown) => ({ title: { text, example }, id: { text, example } })

const files = sameFormat(
  "an array of at most 10 files, each with `name`, `data` (base64 or a URL) and, optionally, `contentType`",
  [{ name: "label.png", data: "https://files.example.com/label.png", contentType: "image/png" }]
)

/** The formats of answers by question type, for the public document: of forms by title, and by id. */
export const answerFormats: Readonly<Record<QuestionType, Readonly<Record<"title" | "id", AnswerFormat>>>> = {
  TEXT: sameFormat("any string", "185"),
  BOOLEAN: sameFormat("the string `true` or `false`", "true"),
  DATE: sameFormat("a date, `YYYY-MM-DD`", "2024-01-05"),
  DATERANGE: {
    title: {
      text: "a string: a start date, a dash, and an end date that is not before it, or `indefinite` or `present`. A date is a day, a month or a year, as in `Jan 1st 2024 - Mar 2024`, `1/5/24 – 2/5/24`, `2024-01-01-2024-02-01`; one of the two may omit the year, as in `Jan 1 - Mar 5 2024`",
      example: "January 5, 2024 - indefinite"
    },
    id: {
      text: "an object with `startDate` and a later `endDate`, both `YYYY-MM-DD`; `endDate` may be null",
      example: { startDate: "2024-01-05", endDate: null }
    }
  },
  SINGLESELECT: sameFormat("one of the `options`", "Diabetes"),
  MULTISELECT: {
    title: { text: "a string: a JSON array of some of the `options`", example: '["Diabetes"]' },
    id: { text: "an array of some of the form's options", example: ["Diabetes"] }
  },
  FILE: files,
  WIDGET_USER_ID_DOCUMENT: files,
  WIDGET_BMI: {
    title: {
      text: "a string: a JSON object with `height` (inches), `weight` (pounds) and `bmi`, which are positive numbers or strings of such",
      example: '{"height":65,"weight":185,"bmi":30.8}'
    },
    id: {
      text: "an object with `height` (inches, a string), `weight` (pounds, a number) and `bmi` (a number), all positive",
      example: { height: "65", weight: 185, bmi: 30.8 }
    }
  },
  WIDGET_STATE_PICKER: {
    title: { text: "the name or the 2-letter code of a US state", example: "California" },
    id: { text: "the 2-letter code of a US state", example: "CA" }
  },
  WIDGET_VISIT_TYPE: sameFormat(
    "`NO_SHOW`, `ASYNC_TEXT_EMAIL`, `SYNC_VIDEO`, `SYNC_PHONE` or `ORDER_FORM`",
    "SYNC_VIDEO"
  ),
  STATEMENT: sameFormat("absent or an empty string, even if `required`", "")
}
