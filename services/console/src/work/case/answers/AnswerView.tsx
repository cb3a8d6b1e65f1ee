import type { AdminCase, FormAnswer } from "@care/domain/cases"
import { answerOf } from "./answerOf.ts"
import { FileRow } from "./FileRow.tsx"

interface AnswerViewProps {
  readonly caseDetail: Pick<AdminCase, "id" | "attachments">
  readonly question: FormAnswer
}

/** An answer of the patient, as its type is read. */
export const AnswerView = ({ caseDetail: { attachments = [], id }, question }: AnswerViewProps) => {
  const shown = answerOf(question)
  if (shown.kind === "none") {
    return <span className="text-muted">{question.type === "STATEMENT" ? "Read" : "No answer"}</span>
  }
  if (shown.kind === "text") {
    return (
      <span dir="auto" className="break-words whitespace-pre-wrap">
        {shown.text}
      </span>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      {shown.files.map(({ documentId, name }) => {
        const file = attachments.find((attachment) => attachment.id === documentId)
        return file === undefined ? (
          <span key={documentId} dir="auto" className="break-words">
            {name} <span className="text-muted">(is not there yet)</span>
          </span>
        ) : (
          <FileRow key={documentId} caseId={id} file={file} />
        )
      })}
    </div>
  )
}
