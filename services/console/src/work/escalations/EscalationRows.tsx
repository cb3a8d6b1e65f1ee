import type { EscalationOfCase } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { may } from "../../client/may.ts"
import { useSession } from "../../session/useSession.ts"
import { Button } from "../../ui/Button.tsx"
import { DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { CompleteEscalation } from "./CompleteEscalation.tsx"
import { escalationColumns } from "./escalationColumns.tsx"
import { useEscalations } from "./escalations.ts"
import type { EscalationsView } from "./escalationsViews.ts"

interface EscalationRowsProps {
  readonly view: EscalationsView
  readonly organizationId: OrganizationId
}

const nothing: Readonly<Record<EscalationsView, string>> = {
  all: "No escalation is open",
  mine: "No open escalation is yours",
  nobodys: "Every open escalation has somebody"
}

export const EscalationRows = ({ organizationId, view }: EscalationRowsProps) => {
  const { user } = useSession()
  const list = useEscalations(view, organizationId, user.id)
  const [chosen, setChosen] = useState<EscalationOfCase | undefined>(undefined)
  const complete = (row: EscalationOfCase) => (
    <Button isSmall aria-label={`Complete “${row.title}” of case ${row.shortId}`} onPress={() => setChosen(row)}>
      Complete
    </Button>
  )
  return (
    <>
      <PagedList list={list} empty={<Empty title={nothing[view]}>New ones appear here by themselves.</Empty>}>
        {(rows) => (
          <DataTable
            caption="Open escalations"
            rows={rows}
            keyOf={({ id }) => id}
            columns={[
              ...escalationColumns(user),
              ...(may(user.role, "backOffice", "completeEscalation") ? [{ title: "Done", cell: complete }] : [])
            ]}
          />
        )}
      </PagedList>
      {chosen === undefined ? null : <CompleteEscalation escalation={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}
