import type { Product } from "@care/domain/cases"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ArchiveButton } from "../ArchiveButton.tsx"
import { ChangeProductForm } from "./ChangeProductForm.tsx"
import { useProductChange } from "./useProductChange.ts"

/** What an administrator can do with a product. */
export const ProductActions = ({ product }: { readonly product: Product }) => {
  const change = useProductChange(product)
  return (
    <span className="flex flex-wrap gap-1.5">
      <WindowButton isSmall text="Change" thing={product.name} title="Change the product">
        {(close) => <ChangeProductForm product={product} onClose={close} />}
      </WindowButton>
      <ArchiveButton
        kind="product"
        name={product.name}
        isArchived={product.isArchived}
        onChange={(isArchived) => change({ isArchived })}
      >
        no new case can have it. Cases that have it keep it.
      </ArchiveButton>
    </span>
  )
}
