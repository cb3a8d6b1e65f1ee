import type { QuestionType } from "@care/domain/cases"

/** A question to show as a patient sees it. */
export interface PreviewedQuestion {
  readonly id: string
  readonly question: string
  readonly type: QuestionType
  readonly required: boolean
  readonly hint: string
  readonly placeholder: string
  readonly options: ReadonlyArray<string>
}
