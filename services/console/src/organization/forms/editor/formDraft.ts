import type { Form, QuestionType } from "@care/domain/cases"
import { given } from "../../given.ts"
import { hasOptions } from "../questionTypes.ts"

/** A question as it is typed: its options are lines. */
export interface QuestionDraft {
  readonly key: number
  readonly question: string
  readonly type: QuestionType
  readonly required: boolean
  readonly phi: boolean
  readonly hint: string
  readonly placeholder: string
  readonly options: string
}

/** A form as it is typed, and the question that was removed last. */
export interface FormDraft {
  readonly title: string
  readonly description: string
  readonly questions: ReadonlyArray<QuestionDraft>
  readonly removed: { readonly question: QuestionDraft; readonly index: number } | undefined
  readonly nextKey: number
}

export type FormEdit =
  | { readonly does: "describe"; readonly title?: string; readonly description?: string }
  | { readonly does: "add" }
  | { readonly does: "change"; readonly question: QuestionDraft }
  | { readonly does: "move"; readonly key: number; readonly by: -1 | 1 }
  | { readonly does: "remove"; readonly key: number }
  | { readonly does: "restore" }

const newQuestion = (key: number): QuestionDraft => ({
  key,
  question: "",
  type: "TEXT",
  required: true,
  phi: true,
  hint: "",
  placeholder: "",
  options: ""
})

export const emptyDraft: FormDraft = {
  title: "",
  description: "",
  questions: [newQuestion(0)],
  removed: undefined,
  nextKey: 1
}

/** Returns the draft of a new form that begins as a copy of another. */
export const copyOf = ({ description, questions, title }: Form): FormDraft => ({
  title: `${title} (copy)`,
  description: description ?? "",
  questions: questions.map(({ hint, options, phi, placeholder, question, required, type }, key) => ({
    key,
    question,
    type,
    required,
    phi,
    hint,
    placeholder,
    options: options.join("\n")
  })),
  removed: undefined,
  nextKey: questions.length
})

const moved = (questions: ReadonlyArray<QuestionDraft>, from: number, to: number): ReadonlyArray<QuestionDraft> => {
  const question = questions[from]
  return question === undefined || to < 0 || to >= questions.length
    ? questions
    : questions.toSpliced(from, 1).toSpliced(to, 0, question)
}

/** Returns a draft after an edit. */
export const edited = (draft: FormDraft, edit: FormEdit): FormDraft => {
  const { nextKey, questions, removed } = draft
  const indexOf = (key: number) => questions.findIndex((question) => question.key === key)
  switch (edit.does) {
    case "describe":
      return { ...draft, title: edit.title ?? draft.title, description: edit.description ?? draft.description }
    case "add":
      return { ...draft, questions: [...questions, newQuestion(nextKey)], nextKey: nextKey + 1 }
    case "change":
      return { ...draft, questions: questions.with(indexOf(edit.question.key), edit.question) }
    case "move":
      return { ...draft, questions: moved(questions, indexOf(edit.key), indexOf(edit.key) + edit.by) }
    case "remove": {
      const index = indexOf(edit.key)
      const question = questions[index]
      return question === undefined
        ? draft
        : { ...draft, questions: questions.toSpliced(index, 1), removed: { question, index } }
    }
    case "restore":
      return removed === undefined
        ? draft
        : { ...draft, questions: questions.toSpliced(removed.index, 0, removed.question), removed: undefined }
  }
}

/** Returns the options that were typed, one a line. */
export const optionsIn = (typed: string): ReadonlyArray<string> =>
  typed
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** Returns a draft as the operation takes it. */
export const enteredForm = ({ description, questions, title }: FormDraft) => ({
  title,
  description: given(description),
  questions: questions.map(({ hint, options, phi, placeholder, question, required, type }) => ({
    question,
    type,
    required: type !== "STATEMENT" && required,
    phi: type !== "STATEMENT" && phi,
    hint: type === "STATEMENT" ? undefined : given(hint),
    placeholder: type === "TEXT" ? given(placeholder) : undefined,
    options: hasOptions(type) ? optionsIn(options) : undefined
  }))
})
