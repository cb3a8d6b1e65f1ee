import type { AdminCase, TimelineEntry } from "@care/domain/cases"
import { FileRow } from "../answers/FileRow.tsx"
import { MedicineList } from "./MedicineList.tsx"

const Text = ({ children }: { readonly children: string }) =>
  children === "" ? null : (
    <p dir="auto" className="break-words whitespace-pre-wrap">
      {children}
    </p>
  )

interface EntryBodyProps {
  readonly caseDetail: AdminCase
  readonly entry: TimelineEntry
}

/** The thing that an entry of the timeline is about, as it is now. */
export const EntryBody = ({ caseDetail, entry }: EntryBodyProps) => {
  const { answersHidden, attachments = [], id: caseId } = caseDetail
  const { comment, decision, escalation, order, type } = entry
  if (comment !== null) {
    return (
      <>
        <Text>{comment.text}</Text>
        {answersHidden
          ? null
          : comment.attachments.map((file) => <FileRow key={file.id} caseId={caseId} file={file} />)}
      </>
    )
  }
  if (decision !== null) {
    return (
      <>
        <Text>{decision.decisionText}</Text>
        <MedicineList medicines={decision.medInfo} />
      </>
    )
  }
  if (escalation !== null && type === "ESCALATION_ADDED") return <Text>{escalation.note ?? ""}</Text>
  if (order !== null && type === "ORDER_PLACED") {
    return <Text>{order.items.map(({ name, quantity }) => `${name}, ${quantity}`).join("; ")}</Text>
  }
  const file = attachments.find(({ id }) => id === entry.details["documentId"])
  return file === undefined ? null : <Text>{file.fileName}</Text>
}
