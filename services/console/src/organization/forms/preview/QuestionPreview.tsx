import { useId } from "react"
import { AnswerPreview } from "./AnswerPreview.tsx"
import type { PreviewedQuestion } from "./PreviewedQuestion.ts"

/** A question with the control for its answer. */
export const QuestionPreview = ({ question }: { readonly question: PreviewedQuestion }) => {
  const hintId = useId()
  const text = (
    <span dir="auto" className="break-words whitespace-pre-line">
      {question.question.trim() || "…"}
    </span>
  )
  if (question.type === "STATEMENT") return <p>{text}</p>
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={question.hint === "" ? undefined : hintId}>
      <legend className="mb-1 max-w-full font-medium">
        {text} {question.required ? <span className="text-sm text-muted">(required)</span> : null}
      </legend>
      {question.hint === "" ? null : (
        <p id={hintId} dir="auto" className="text-sm break-words text-muted">
          {question.hint}
        </p>
      )}
      <AnswerPreview question={question} />
    </fieldset>
  )
}
