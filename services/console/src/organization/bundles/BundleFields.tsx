import type { OrganizationId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Choice } from "../../ui/Choice.tsx"
import { Field } from "../../ui/Field.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { Ticks } from "../../ui/Ticks.tsx"
import { allForms, allProducts } from "../catalogueQueries.ts"
import { withChosen } from "../withChosen.ts"
import type { BundleDraft } from "./bundleDraft.ts"

interface BundleFieldsProps {
  readonly organizationId: OrganizationId
  readonly draft: BundleDraft
  readonly onChange: (draft: BundleDraft) => void
}

export const BundleFields = ({ draft, onChange, organizationId }: BundleFieldsProps) => {
  const products = useQuery(allProducts(organizationId))
  const forms = useQuery(allForms(organizationId))
  const set = (change: Partial<BundleDraft>) => onChange({ ...draft, ...change })
  const formOptions = (chosen: string) => [
    { value: "", text: "None" },
    ...withChosen(forms.data?.map(({ id, title }) => ({ value: id, text: title })) ?? [], [chosen], "An archived form")
  ]
  return (
    <>
      <Field label="Name" name="name" value={draft.name} onChange={(name) => set({ name })} autoFocus />
      <Field
        label="Description"
        name="description"
        rows={3}
        value={draft.description}
        onChange={(description) => set({ description })}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <Field
          label="Price"
          name="price"
          inputMode="decimal"
          hint="Such as 299.00"
          value={draft.price}
          onChange={(price) => set({ price })}
        />
        <Field
          label="Currency"
          name="priceUnit"
          hint="Such as USD"
          value={draft.priceUnit}
          onChange={(priceUnit) => set({ priceUnit })}
        />
        <Field
          label="Initial discount"
          name="initialDiscount"
          inputMode="decimal"
          hint="In the same currency"
          value={draft.initialDiscount}
          onChange={(initialDiscount) => set({ initialDiscount })}
        />
      </div>
      <Field
        label="Address of an image"
        name="imageUrl"
        type="url"
        hint="May stay empty."
        value={draft.imageUrl}
        onChange={(imageUrl) => set({ imageUrl })}
      />
      <Ticks
        label="Products"
        empty="There is no product yet."
        options={
          products.data &&
          withChosen(
            products.data.map(({ id, name }) => ({ value: id, text: name })),
            draft.productIds,
            "An archived product"
          )
        }
        error={products.error}
        value={draft.productIds}
        onChange={(productIds) => set({ productIds })}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label="Form of the intake"
          value={draft.intakeFormId}
          options={formOptions(draft.intakeFormId)}
          onChange={(intakeFormId) => set({ intakeFormId })}
        />
        <Choice
          label="Form of the follow-up"
          value={draft.followupFormId}
          options={formOptions(draft.followupFormId)}
          onChange={(followupFormId) => set({ followupFormId })}
        />
      </div>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Tick isSelected={draft.isVisible} onChange={(isVisible) => set({ isVisible })}>
          Visible to customers
        </Tick>
        <Tick isSelected={draft.isSoldOut} onChange={(isSoldOut) => set({ isSoldOut })}>
          Sold out
        </Tick>
      </div>
    </>
  )
}
