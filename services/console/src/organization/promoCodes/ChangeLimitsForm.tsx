import { PromoCodeChange } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import type { PromoCode } from "@care/domain/payments"
import { useState } from "react"
import { announce } from "../../ui/announce.ts"
import { EntryForm } from "../../ui/EntryForm.tsx"
import { LimitFields, type Limits, limitsIn } from "./LimitFields.tsx"
import { usePromoCodeChange } from "./usePromoCodeChange.ts"

interface ChangeLimitsFormProps {
  readonly promoCode: PromoCode
  readonly organizationId: OrganizationId | undefined
  readonly onClose: () => void
}

export const ChangeLimitsForm = ({ onClose, organizationId, promoCode }: ChangeLimitsFormProps) => {
  const change = usePromoCodeChange(organizationId, promoCode.id)
  const [limits, setLimits] = useState<Limits>({
    expiresAt: promoCode.expiresAt ?? undefined,
    maxRedemptions: promoCode.maxRedemptions?.toString() ?? ""
  })
  return (
    <EntryForm
      schema={PromoCodeChange}
      entered={limitsIn(limits)}
      action="Save"
      onSave={async (payload) => {
        await change(payload)
        announce("Promo code saved")
      }}
      onDone={onClose}
      onCancel={onClose}
    >
      <LimitFields limits={limits} onChange={setLimits} />
    </EntryForm>
  )
}
