import type { Member } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { useList } from "../../client/useList.ts"
import { nameOf, staffAdmin } from "../../organization/members/memberQueries.ts"
import { useSession } from "../../session/useSession.ts"
import { type Column, DataTable } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Page } from "../../ui/Page.tsx"
import { PagedList } from "../../ui/PagedList.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { InviteOperatorForm } from "./InviteOperatorForm.tsx"
import { OperatorActions } from "./OperatorActions.tsx"
import { operatorsKey } from "./operatorsKey.ts"

const columns: ReadonlyArray<Column<Member>> = [
  {
    title: "Name",
    cell: (operator) => (
      <span className="flex flex-col">
        <span dir="auto">{nameOf(operator)}</span>
        <span className="text-sm break-all text-muted">{operator.email}</span>
      </span>
    )
  },
  { title: "Invited", cell: ({ createdAt }) => <Moment at={createdAt} /> }
]

/** The people of the platform. */
export const Operators = () => {
  const { user } = useSession()
  const list = useList(operatorsKey, (cursor: PagePosition | undefined) =>
    staffAdmin.operators({ query: { limit: 50, ...(cursor !== undefined && { cursor }) } })
  )
  const actions: Column<Member> = {
    title: "Actions",
    cell: (operator) =>
      operator.id === user.id ? <span className="text-muted">You</span> : <OperatorActions operator={operator} />
  }
  return (
    <Page
      title="Operators"
      actions={
        <WindowButton text="Invite an operator" title="Invite an operator" look="primary">
          {(close) => <InviteOperatorForm onClose={close} />}
        </WindowButton>
      }
    >
      <PagedList
        list={list}
        empty={<Empty title="There is no operator yet">Invite the people who run the platform.</Empty>}
      >
        {(rows) => <DataTable caption="Operators" rows={rows} keyOf={({ id }) => id} columns={[...columns, actions]} />}
      </PagedList>
    </Page>
  )
}
