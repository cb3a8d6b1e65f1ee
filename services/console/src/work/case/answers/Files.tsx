import type { AdminCase } from "@care/domain/cases"
import { may } from "../../../client/may.ts"
import { useSession } from "../../../session/useSession.ts"
import { Moment } from "../../../ui/Moment.tsx"
import { Panel } from "../../../ui/Panel.tsx"
import { fullName, type Names } from "../data/useNames.ts"
import { AttachFiles } from "./AttachFiles.tsx"
import { FileRow } from "./FileRow.tsx"

interface FilesProps {
  readonly caseDetail: AdminCase
  readonly names: Names
}

/** The files of a case, the newest first. Those of comments are with their comments. */
export const Files = ({ caseDetail: { answersHidden, attachments = [], id }, names }: FilesProps) => {
  const { user } = useSession()
  // An operator belongs to no organization, so that no file is theirs.
  const mayAttach = may(user.role, "backOffice", "attach") && user.role !== "OPERATOR"
  if (answersHidden || (attachments.length === 0 && !mayAttach)) return null
  return (
    <Panel title="Files">
      {attachments.length === 0 ? null : (
        <ul className="flex flex-col divide-y divide-line">
          {attachments.toReversed().map((file) => (
            <li key={file.id} className="flex flex-col gap-1 py-2">
              <FileRow caseId={id} file={file} />
              <span className="text-sm text-muted">
                <span dir="auto">{names.personOf(file.uploadedBy.id) ?? fullName(file.uploadedBy)}</span>,{" "}
                <Moment at={file.uploadedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {mayAttach ? <AttachFiles caseId={id} /> : null}
    </Panel>
  )
}
