import type { Member } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import { Choice } from "../../ui/Choice.tsx"
import type { Column } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { inWords } from "../../ui/words.ts"
import { PartList } from "../PartList.tsx"
import { MemberActions } from "./MemberActions.tsx"
import { members, membersKey, nameOf } from "./memberQueries.ts"
import { NewMemberForm } from "./NewMemberForm.tsx"

const columns: ReadonlyArray<Column<Member>> = [
  {
    title: "Name",
    cell: (member) => (
      <span className="flex flex-col">
        <span dir="auto">
          {[member.title, nameOf(member), member.titleSuffix].filter((part) => part !== null).join(" ")}
        </span>
        <span className="text-sm break-all text-muted">{member.email}</span>
      </span>
    )
  },
  { title: "Role", cell: ({ role }) => inWords(role) },
  { title: "NPI", cell: ({ npi }) => npi ?? "" },
  { title: "Licensed in", cell: ({ licensedStates }) => licensedStates.join(", ") }
]

const views = [
  { value: "true", text: "Active members" },
  { value: "false", text: "Deleted members" }
] as const

/** The staff of an organization. */
export const Members = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const may = useMay()
  const [isActive, setActive] = useState<"true" | "false">("true")
  const list = useList([...membersKey(organizationId), isActive], (cursor: PagePosition | undefined) =>
    members.list({
      params: { organizationId },
      query: { limit: 50, isActive, ...(cursor !== undefined && { cursor }) }
    })
  )
  return (
    <PartList
      caption="Members"
      list={list}
      columns={columns}
      actions={
        isActive === "true" && may("members", "change")
          ? (member) => <MemberActions member={member} organizationId={organizationId} />
          : undefined
      }
      choice={<Choice label="Which members" isLabelHidden value={isActive} options={views} onChange={setActive} />}
      add={
        may("members", "add") ? (
          <WindowButton text="Add a member" title="Add a member" look="primary">
            {(close) => <NewMemberForm organizationId={organizationId} onClose={close} />}
          </WindowButton>
        ) : null
      }
      empty={
        isActive === "true" ? (
          <Empty title="There is no member yet">Add the first provider or administrator.</Empty>
        ) : (
          <Empty title="Nobody was deleted" />
        )
      }
    />
  )
}
