import type { OrganizationId } from "@care/domain/ids"
import type { PromoCode } from "@care/domain/payments"
import { announce } from "../../ui/announce.ts"
import { ConfirmedButton } from "../../ui/ConfirmedButton.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { ChangeLimitsForm } from "./ChangeLimitsForm.tsx"
import { usePromoCodeChange } from "./usePromoCodeChange.ts"

interface PromoCodeActionsProps {
  readonly promoCode: PromoCode
  readonly organizationId: OrganizationId | undefined
}

/** What an administrator can do with a promo code. */
export const PromoCodeActions = ({ organizationId, promoCode }: PromoCodeActionsProps) => {
  const change = usePromoCodeChange(organizationId, promoCode.id)
  const { code, isActive } = promoCode
  return (
    <span className="flex flex-wrap gap-1.5">
      <WindowButton isSmall text="Change" thing={code} title={`Change ${code}`}>
        {(close) => <ChangeLimitsForm promoCode={promoCode} organizationId={organizationId} onClose={close} />}
      </WindowButton>
      <ConfirmedButton
        text={isActive ? "Disable" : "Enable"}
        thing={code}
        title={`${isActive ? "Disable" : "Enable"} the promo code?`}
        isDanger={isActive}
        onConfirm={async () => {
          await change({ isActive: !isActive })
          announce(isActive ? "Promo code disabled" : "Promo code enabled")
        }}
      >
        <p>
          <strong dir="auto">{code}</strong>{" "}
          {isActive
            ? "lowers no price any more. Payments that used it stay. You can enable it again."
            : "lowers prices again, within its limits."}
        </p>
      </ConfirmedButton>
    </span>
  )
}
