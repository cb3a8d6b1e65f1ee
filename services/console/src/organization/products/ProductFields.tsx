import { Field } from "../../ui/Field.tsx"

/** What is typed about a product. */
export interface ProductDraft {
  readonly name: string
  readonly description: string
  readonly price: string
  readonly currency: string
}

interface ProductFieldsProps {
  readonly draft: ProductDraft
  readonly onChange: (draft: ProductDraft) => void
}

export const ProductFields = ({ draft, onChange }: ProductFieldsProps) => {
  const field = (name: keyof ProductDraft) => ({
    name,
    value: draft[name],
    onChange: (value: string) => onChange({ ...draft, [name]: value })
  })
  return (
    <>
      <Field label="Name" {...field("name")} autoFocus />
      <Field label="Description" rows={3} {...field("description")} />
      <div className="grid grid-cols-2 gap-4">
        <Field label="Price" hint="Such as 299.00. Empty for no price." inputMode="decimal" {...field("price")} />
        <Field label="Currency" hint="Such as USD" {...field("currency")} />
      </div>
    </>
  )
}
