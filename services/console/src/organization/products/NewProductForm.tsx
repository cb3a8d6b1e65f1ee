import { NewProduct } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { catalogue, productsKey } from "../catalogueQueries.ts"
import { given } from "../given.ts"
import { ProductFields } from "./ProductFields.tsx"

interface NewProductFormProps {
  readonly organizationId: OrganizationId
  readonly onClose: () => void
}

export const NewProductForm = ({ onClose, organizationId }: NewProductFormProps) => {
  const client = useQueryClient()
  const [draft, setDraft] = useState({ name: "", description: "", price: "", currency: "USD" })
  const price = given(draft.price)
  return (
    <EntryForm
      schema={NewProduct}
      entered={{
        name: draft.name,
        description: given(draft.description),
        ...(price !== undefined && { price, currency: draft.currency })
      }}
      action="Add"
      onSave={async (payload) => {
        await send(catalogue.createProduct({ params: { organizationId }, payload }))
        await client.invalidateQueries({ queryKey: productsKey(organizationId) })
        announce("Product added")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <ProductFields draft={draft} onChange={setDraft} />
    </EntryForm>
  )
}
