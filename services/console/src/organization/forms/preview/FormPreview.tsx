import type { PreviewedQuestion } from "./PreviewedQuestion.ts"
import { QuestionPreview } from "./QuestionPreview.tsx"

interface FormPreviewProps {
  readonly title: string
  readonly description: string
  readonly questions: ReadonlyArray<PreviewedQuestion>
}

/** A form as a patient sees it. It can be tried out: nothing is kept or sent. */
export const FormPreview = ({ description, questions, title }: FormPreviewProps) => (
  <section aria-label="Preview" className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-5">
    <p className="text-sm text-muted">Preview: what a patient sees</p>
    <div dir="auto">
      <h2 className="text-lg font-semibold break-words">{title.trim() || "Without a title"}</h2>
      {description.trim() === "" ? null : <p className="break-words whitespace-pre-line text-muted">{description}</p>}
    </div>
    {questions.map((question) => (
      <QuestionPreview key={question.id} question={question} />
    ))}
  </section>
)
