import type { Product } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { useState } from "react"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import type { Column } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ArchivedChoice, type IsArchived } from "../ArchivedChoice.tsx"
import { catalogue, productsKey } from "../catalogueQueries.ts"
import { PartList } from "../PartList.tsx"
import { priceInWords } from "../price.ts"
import { NewProductForm } from "./NewProductForm.tsx"
import { ProductActions } from "./ProductActions.tsx"

const columns: ReadonlyArray<Column<Product>> = [
  {
    title: "Name",
    cell: ({ description, name }) => (
      <span dir="auto" className="flex flex-col">
        <span>{name}</span>
        {description === null ? null : <span className="line-clamp-2 text-sm text-muted">{description}</span>}
      </span>
    )
  },
  { title: "Price", isNumber: true, cell: ({ currency, price }) => priceInWords(price, currency) },
  { title: "Added", cell: ({ createdAt }) => <Moment at={createdAt} /> }
]

/** The products of an organization. */
export const Products = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const may = useMay()
  const [isArchived, setArchived] = useState<IsArchived>("false")
  const list = useList([...productsKey(organizationId), isArchived], (cursor: PagePosition | undefined) =>
    catalogue.listProducts({
      params: { organizationId },
      query: { limit: 50, isArchived, ...(cursor !== undefined && { cursor }) }
    })
  )
  return (
    <PartList
      caption="Products"
      list={list}
      columns={columns}
      actions={may("catalogue", "changeProduct") ? (product) => <ProductActions product={product} /> : undefined}
      choice={<ArchivedChoice things="products" value={isArchived} onChange={setArchived} />}
      add={
        may("catalogue", "createProduct") ? (
          <WindowButton text="Add a product" title="Add a product" look="primary">
            {(close) => <NewProductForm organizationId={organizationId} onClose={close} />}
          </WindowButton>
        ) : null
      }
      empty={
        isArchived === "true" ? (
          <Empty title="No product was archived" />
        ) : (
          <Empty title="There is no product yet">Cases are opened for products: add the first one.</Empty>
        )
      }
    />
  )
}
