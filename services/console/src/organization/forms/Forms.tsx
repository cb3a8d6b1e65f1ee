import type { FormSummary } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import type { Column } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { linkLook } from "../../ui/linkLook.ts"
import { Moment } from "../../ui/Moment.tsx"
import { ArchivedChoice, type IsArchived } from "../ArchivedChoice.tsx"
import { catalogue, formsKey } from "../catalogueQueries.ts"
import { PartList } from "../PartList.tsx"
import { NewFormLink } from "./NewFormLink.tsx"

const columns: ReadonlyArray<Column<FormSummary>> = [
  {
    title: "Title",
    cell: ({ description, id, organizationId, title }) => (
      <span dir="auto" className="flex flex-col">
        <Link
          to="/organizations/$organizationId/forms/$formId"
          params={{ organizationId, formId: id }}
          className={linkLook}
        >
          {title}
        </Link>
        {description === null ? null : <span className="line-clamp-2 text-sm text-muted">{description}</span>}
      </span>
    )
  },
  { title: "Added", cell: ({ createdAt }) => <Moment at={createdAt} /> }
]

/** The forms of an organization. */
export const Forms = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const may = useMay()
  const [isArchived, setArchived] = useState<IsArchived>("false")
  const list = useList([...formsKey(organizationId), isArchived], (cursor: PagePosition | undefined) =>
    catalogue.listForms({
      params: { organizationId },
      query: { limit: 50, isArchived, ...(cursor !== undefined && { cursor }) }
    })
  )
  return (
    <PartList
      caption="Forms"
      list={list}
      columns={columns}
      choice={<ArchivedChoice things="forms" value={isArchived} onChange={setArchived} />}
      add={may("catalogue", "createForm") ? <NewFormLink organizationId={organizationId} text="Add a form" /> : null}
      empty={
        isArchived === "true" ? (
          <Empty title="No form was archived" />
        ) : (
          <Empty title="There is no form yet">Patients answer the questions of a form when they open a case.</Empty>
        )
      }
    />
  )
}
