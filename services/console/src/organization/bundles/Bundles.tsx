import type { Bundle } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import { Badge } from "../../ui/Badge.tsx"
import type { Column } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { counted } from "../../ui/words.ts"
import { ArchivedChoice, type IsArchived } from "../ArchivedChoice.tsx"
import { bundlesKey, catalogue } from "../catalogueQueries.ts"
import { PartList } from "../PartList.tsx"
import { priceInWords } from "../price.ts"
import { BundleActions } from "./BundleActions.tsx"
import { NewBundleForm } from "./NewBundleForm.tsx"

const columns: ReadonlyArray<Column<Bundle>> = [
  {
    title: "Name",
    cell: ({ description, name }) => (
      <span dir="auto" className="flex flex-col">
        <span>{name}</span>
        <span className="line-clamp-2 text-sm text-muted">{description}</span>
      </span>
    )
  },
  { title: "Products", cell: ({ productIds }) => counted(productIds.length, "product") },
  {
    title: "Shown",
    cell: ({ isSoldOut, isVisible }) => (
      <Badge
        look={isVisible && !isSoldOut ? "good" : "plain"}
        text={isVisible ? (isSoldOut ? "Sold out" : "On offer") : "Hidden"}
      />
    )
  },
  { title: "Price", isNumber: true, cell: ({ price, priceUnit }) => priceInWords(price, priceUnit) }
]

/** The bundles of an organization. */
export const Bundles = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const may = useMay()
  const [isArchived, setArchived] = useState<IsArchived>("false")
  const list = useList([...bundlesKey(organizationId), isArchived], (cursor: PagePosition | undefined) =>
    catalogue.listBundles({
      params: { organizationId },
      query: { limit: 50, isArchived, ...(cursor !== undefined && { cursor }) }
    })
  )
  return (
    <PartList
      caption="Bundles"
      list={list}
      columns={columns}
      actions={may("catalogue", "changeBundle") ? (bundle) => <BundleActions bundle={bundle} /> : undefined}
      choice={<ArchivedChoice things="bundles" value={isArchived} onChange={setArchived} />}
      add={
        may("catalogue", "createBundle") ? (
          <WindowButton isWide text="Add a bundle" title="Add a bundle" look="primary">
            {(close) => <NewBundleForm organizationId={organizationId} onClose={close} />}
          </WindowButton>
        ) : null
      }
      empty={
        isArchived === "true" ? (
          <Empty title="No bundle was archived" />
        ) : (
          <Empty title="There is no bundle yet">A bundle offers products together, with the forms to fill in.</Empty>
        )
      }
    />
  )
}
