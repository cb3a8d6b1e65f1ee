import { maxAnswerLength, type QuestionType } from "@care/domain/cases"
import { isDateOnly, usStates } from "@care/domain/http"
import { Option, Predicate, Schema } from "effect"
import { isWrittenDateRange } from "./dateRange.ts"

/** A request has questions of its own ("title"), or names those of a stored form ("id"). */
export type AnswerForm = "title" | "id"

export interface AnsweredQuestion {
  readonly type: QuestionType
  readonly required: boolean
  readonly options: ReadonlyArray<string>
}

const maxFilesPerAnswer = 10

const visitTypes = ["NO_SHOW", "ASYNC_TEXT_EMAIL", "SYNC_VIDEO", "SYNC_PHONE", "ORDER_FORM"]
const stateNames = new Set([...usStates.values()].map((name) => name.toLowerCase()))

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
const isText = Predicate.isString
const isOneOf = (options: ReadonlyArray<string>) => (answer: unknown) => isText(answer) && options.includes(answer)

// A list that is longer than the options has one of them twice.
const isListOf = (options: ReadonlyArray<string>, answer: unknown): boolean => {
  const allowed = new Set<unknown>(options)
  return Array.isArray(answer) && answer.length <= options.length && answer.every((choice) => allowed.has(choice))
}

const isInJson = (answer: unknown, isRight: (value: unknown) => boolean): boolean =>
  isText(answer) && Option.exists(parseJson(answer), isRight)

const isPositive = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value > 0
const maxNumberLength = 50
const isPositiveText = (value: unknown): boolean =>
  isText(value) && value.length <= maxNumberLength && /^\d+(\.\d+)?$/.test(value.trim()) && Number(value) > 0

const isStateCode = (answer: unknown): boolean => isText(answer) && usStates.has(answer.toUpperCase())

// `AnswerFiles` checks the data itself.
const isFile = (value: unknown): boolean =>
  Predicate.isObject(value) &&
  isText(value["name"]) &&
  value["name"].trim() !== "" &&
  isText(value["data"]) &&
  (value["contentType"] === undefined || value["contentType"] === null || isText(value["contentType"]))

const isFiles = (answer: unknown): boolean =>
  Array.isArray(answer) && answer.length <= maxFilesPerAnswer && answer.every(isFile)

export const filesExpected = `must be an array of at most ${maxFilesPerAnswer} objects with name and data (base64 or a URL), and contentType if known`

const files = { isRight: isFiles, reason: filesExpected }

const isDateRange = (value: unknown): boolean => {
  if (!Predicate.isObject(value) || !isText(value["startDate"]) || !isDateOnly(value["startDate"])) return false
  const end = value["endDate"]
  return end === null || end === undefined || (isText(end) && isDateOnly(end) && end > value["startDate"])
}

const isBmi = (value: unknown, isNumber: (part: unknown) => boolean, isHeight: (part: unknown) => boolean): boolean =>
  Predicate.isObject(value) && isHeight(value["height"]) && isNumber(value["weight"]) && isNumber(value["bmi"])

const isNumberInJson = (value: unknown): boolean => isPositive(value) || isPositiveText(value)

interface Rule {
  readonly isRight: (answer: unknown, question: AnsweredQuestion) => boolean
  readonly reason: string
}

export const optionExpected = "must be one of the options"

const option: Rule = {
  isRight: (answer, { options }) => isOneOf(options)(answer),
  reason: optionExpected
}

const both = (rule: Rule): Record<AnswerForm, Rule> => ({ title: rule, id: rule })

const rules: Record<QuestionType, Record<AnswerForm, Rule>> = {
  TEXT: both({ isRight: isText, reason: "must be a text" }),
  BOOLEAN: both({ isRight: isOneOf(["true", "false"]), reason: "must be the text true or false" }),
  DATE: both({
    isRight: (answer) => isText(answer) && isDateOnly(answer),
    reason: "must be a date in the form YYYY-MM-DD"
  }),
  DATERANGE: {
    title: {
      isRight: (answer) => isText(answer) && isWrittenDateRange(answer),
      reason: "must be a start date, a dash, and an end date that is not before it or the word indefinite"
    },
    id: {
      isRight: isDateRange,
      reason: "must be an object with startDate and endDate (YYYY-MM-DD, endDate later than startDate, or null)"
    }
  },
  SINGLESELECT: both(option),
  MULTISELECT: {
    title: {
      isRight: (answer, { options }) => isInJson(answer, (list) => isListOf(options, list)),
      reason: "must be a JSON array, as a text, of texts from the options"
    },
    id: {
      isRight: (answer, { options }) => isListOf(options, answer),
      reason: "must be an array of texts from the options"
    }
  },
  FILE: both(files),
  WIDGET_USER_ID_DOCUMENT: both(files),
  WIDGET_BMI: {
    title: {
      isRight: (answer) => isInJson(answer, (value) => isBmi(value, isNumberInJson, isNumberInJson)),
      reason: "must be a JSON object, as a text, with positive height (inches), weight (pounds) and bmi"
    },
    id: {
      isRight: (answer) => isBmi(answer, isPositive, isPositiveText),
      reason: "must be an object with height (text, inches), weight (number, pounds) and bmi (number), all positive"
    }
  },
  WIDGET_STATE_PICKER: {
    title: {
      isRight: (answer) => isStateCode(answer) || (isText(answer) && stateNames.has(answer.toLowerCase())),
      reason: "must be the name or the 2-letter code of a US state"
    },
    id: { isRight: isStateCode, reason: "must be the 2-letter code of a US state" }
  },
  WIDGET_VISIT_TYPE: both({ isRight: isOneOf(visitTypes), reason: `must be one of ${visitTypes.join(", ")}` }),
  STATEMENT: both({ isRight: () => false, reason: "must be empty: a statement takes no answer" })
}

const listTypes: ReadonlyArray<string> = [
  "MULTISELECT",
  "FILE",
  "WIDGET_USER_ID_DOCUMENT"
] satisfies ReadonlyArray<QuestionType>

/** Returns whether an answer is absent, blank, or an empty list, also as JSON for questions that take a list. */
export const isNoAnswer = (type: string, answer: unknown): boolean =>
  answer === undefined ||
  answer === null ||
  (isText(answer) && (answer.trim() === "" || (listTypes.includes(type) && answer.trim() === "[]"))) ||
  (Array.isArray(answer) && answer.length === 0)

export const answerRequired = "Answer is required"

/** Returns why an answer does not fit its question, if it does not. */
export const answerProblem = (form: AnswerForm, question: AnsweredQuestion, answer: unknown): string | undefined => {
  if (isNoAnswer(question.type, answer))
    return question.required && question.type !== "STATEMENT" ? answerRequired : undefined
  if (isText(answer) && answer.length > maxAnswerLength) return `must be at most ${maxAnswerLength} characters long`
  const rule = rules[question.type][form]
  return rule.isRight(answer, question) ? undefined : rule.reason
}

/** Returns whether a question is about the patient's weight. Every dynamic case needs one. */
export const isWeightQuestion = (text: string): boolean => {
  const lower = text.toLowerCase()
  return lower.includes("weigh") && !lower.includes("goal") && !lower.includes("initiative")
}
