import { NewPromoCode } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Choice } from "../../ui/Choice.tsx"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { Ticks } from "../../ui/Ticks.tsx"
import { allBundles } from "../catalogueQueries.ts"
import { given } from "../given.ts"
import { LimitFields, type Limits, limitsIn } from "./LimitFields.tsx"
import { adminPromoCodes, promoCodesKey } from "./promoQueries.ts"

interface NewPromoCodeFormProps {
  readonly organizationId: OrganizationId
  readonly onClose: () => void
}

const kinds = [
  { value: "percentDiscount", text: "Percent" },
  { value: "flatDiscount", text: "Amount, in the currency of the payment" }
] as const

export const NewPromoCodeForm = ({ onClose, organizationId }: NewPromoCodeFormProps) => {
  const client = useQueryClient()
  const bundles = useQuery(allBundles(organizationId))
  const [code, setCode] = useState("")
  const [name, setName] = useState("")
  const [kind, setKind] = useState<(typeof kinds)[number]["value"]>("percentDiscount")
  const [discount, setDiscount] = useState("")
  const [limits, setLimits] = useState<Limits>({ expiresAt: undefined, maxRedemptions: "" })
  const [bundleIds, setBundleIds] = useState<ReadonlyArray<string>>([])
  const { expiresAt, maxRedemptions } = limitsIn(limits)
  return (
    <EntryForm
      schema={NewPromoCode}
      entered={{
        code,
        name: given(name),
        organizationId,
        [kind]: discount.trim() === "" ? Number.NaN : Number(discount),
        expiresAt: expiresAt ?? undefined,
        maxRedemptions: maxRedemptions ?? undefined,
        bundleIds
      }}
      action="Add"
      onSave={async (payload) => {
        await send(adminPromoCodes.create({ payload }))
        await client.invalidateQueries({ queryKey: promoCodesKey(organizationId) })
        announce("Promo code added")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Code" name="code" value={code} onChange={setCode} autoFocus hint="In any letter case." />
        <Field
          label="Name"
          name="name"
          value={name}
          onChange={setName}
          hint="Works as the code, too. May stay empty."
        />
        <Choice label="Kind of discount" value={kind} options={kinds} onChange={setKind} />
        <Field
          label="Discount"
          name={kind}
          inputMode="decimal"
          value={discount}
          onChange={setDiscount}
          hint={kind === "percentDiscount" ? "Such as 15" : "Such as 20.00"}
        />
        <LimitFields limits={limits} onChange={setLimits} />
      </div>
      <Ticks
        label="Only for these bundles"
        empty="There is no bundle: the code applies to everything."
        options={bundles.data?.map((bundle) => ({ value: bundle.id, text: bundle.name }))}
        error={bundles.error}
        value={bundleIds}
        onChange={setBundleIds}
      />
      <p className="text-sm text-muted">
        Without a bundle it applies to everything. The code, the discount and the bundles cannot be changed later.
      </p>
    </EntryForm>
  )
}
