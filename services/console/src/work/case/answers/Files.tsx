import type { AdminCase } from "@care/domain/cases"
import { Moment } from "../../../ui/Moment.tsx"
import { Panel } from "../../../ui/Panel.tsx"
import type { Names } from "../data/useNames.ts"
import { FileRow } from "./FileRow.tsx"

interface FilesProps {
  readonly caseDetail: AdminCase
  readonly names: Names
}

/** The files of a case, the newest first. Those of comments are with their comments. */
export const Files = ({ caseDetail: { attachments = [], id }, names }: FilesProps) =>
  attachments.length === 0 ? null : (
    <Panel title="Files">
      <ul className="flex flex-col divide-y divide-line">
        {attachments.toReversed().map((file) => (
          <li key={file.id} className="flex flex-col gap-1 py-2">
            <FileRow caseId={id} file={file} />
            <span className="text-sm text-muted">
              <span dir="auto">{names.personOf(file.uploadedBy.id)}</span>, <Moment at={file.uploadedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
