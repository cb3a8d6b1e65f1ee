import { NewPromoCode } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Choice } from "../../ui/Choice.tsx"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { Field } from "../../ui/Field.tsx"
import { given } from "../given.ts"
import { BundleTicks } from "./BundleTicks.tsx"
import { LimitFields, type Limits, limitsIn } from "./LimitFields.tsx"
import { adminPromoCodes, promoCodesKey } from "./promoQueries.ts"

interface NewPromoCodeFormProps {
  readonly organizationId: OrganizationId | undefined
  readonly onClose: () => void
}

const kinds = [
  { value: "percentDiscount", text: "Percent" },
  { value: "flatDiscount", text: "Amount, in the currency of the payment" }
] as const

export const NewPromoCodeForm = ({ onClose, organizationId }: NewPromoCodeFormProps) => {
  const client = useQueryClient()
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
      {organizationId === undefined ? (
        <p className="text-sm text-muted">
          It applies to everything in all organizations. The code and the discount cannot be changed later.
        </p>
      ) : (
        <BundleTicks organizationId={organizationId} value={bundleIds} onChange={setBundleIds} />
      )}
    </EntryForm>
  )
}
