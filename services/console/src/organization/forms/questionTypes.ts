import type { QuestionType } from "@care/domain/cases"

/** The types of questions in words, in the order in which they are offered. */
export const questionTypes: ReadonlyArray<{ readonly value: QuestionType; readonly text: string }> = [
  { value: "TEXT", text: "Text" },
  { value: "BOOLEAN", text: "Yes or no" },
  { value: "SINGLESELECT", text: "One of some options" },
  { value: "MULTISELECT", text: "Any of some options" },
  { value: "DATE", text: "Date" },
  { value: "DATERANGE", text: "From a date to another" },
  { value: "FILE", text: "Files" },
  { value: "STATEMENT", text: "Statement, without an answer" },
  { value: "WIDGET_USER_ID_DOCUMENT", text: "Identity document" },
  { value: "WIDGET_BMI", text: "Height and weight" },
  { value: "WIDGET_STATE_PICKER", text: "US state" },
  { value: "WIDGET_VISIT_TYPE", text: "Kind of visit" }
]

export const hasOptions = (type: QuestionType): boolean => type === "SINGLESELECT" || type === "MULTISELECT"
