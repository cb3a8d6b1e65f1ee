import { ProductChange } from "@care/domain/admin"
import type { Product } from "@care/domain/cases"
import { useState } from "react"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { given } from "../given.ts"
import { ProductFields } from "./ProductFields.tsx"
import { useProductChange } from "./useProductChange.ts"

interface ChangeProductFormProps {
  readonly product: Product
  readonly onClose: () => void
}

export const ChangeProductForm = ({ onClose, product }: ChangeProductFormProps) => {
  const change = useProductChange(product)
  const [draft, setDraft] = useState({
    name: product.name,
    description: product.description ?? "",
    price: product.price ?? "",
    currency: product.currency ?? "USD"
  })
  const price = given(draft.price) ?? null
  return (
    <EntryForm
      schema={ProductChange}
      entered={{
        name: draft.name,
        description: given(draft.description) ?? null,
        price,
        currency: price === null ? null : draft.currency
      }}
      action="Save"
      onSave={async (payload) => {
        await change(payload)
        announce("Product saved")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <ProductFields draft={draft} onChange={setDraft} />
      <p className="text-sm text-muted">New cases have the new name and price. Cases that exist keep theirs.</p>
    </EntryForm>
  )
}
