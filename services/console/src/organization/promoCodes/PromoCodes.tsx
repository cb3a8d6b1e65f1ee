import { promoTermOf } from "@care/domain/admin"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import type { PromoCode } from "@care/domain/payments"
import { useState } from "react"
import { useList } from "../../client/useList.ts"
import { useMay } from "../../session/useMay.ts"
import { Badge } from "../../ui/Badge.tsx"
import type { Column } from "../../ui/DataTable.tsx"
import { Empty } from "../../ui/Empty.tsx"
import { Field } from "../../ui/Field.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { WindowButton } from "../../ui/WindowButton.tsx"
import { PartList } from "../PartList.tsx"
import { NewPromoCodeForm } from "./NewPromoCodeForm.tsx"
import { PromoCodeActions } from "./PromoCodeActions.tsx"
import { promoCodeState } from "./promoCodeState.ts"
import { adminPromoCodes, promoCodesKey } from "./promoQueries.ts"

const columns: ReadonlyArray<Column<PromoCode>> = [
  {
    title: "Code",
    cell: ({ code, name }) => (
      <span dir="auto" className="flex flex-col">
        <code>{code}</code>
        {name === null ? null : <span className="text-sm text-muted">{name}</span>}
      </span>
    )
  },
  {
    title: "Discount",
    cell: ({ flatDiscount, percentDiscount }) =>
      percentDiscount === null ? `${flatDiscount} off` : `${percentDiscount} %`
  },
  { title: "State", cell: (promoCode) => <Badge {...promoCodeState(promoCode)} /> },
  {
    title: "Used",
    isNumber: true,
    cell: ({ maxRedemptions, redemptions }) =>
      maxRedemptions === null ? redemptions : `${redemptions} of ${maxRedemptions}`
  },
  { title: "Applies to", cell: ({ bundleIds }) => (bundleIds.length === 0 ? "Everything" : "Some bundles") },
  { title: "Expires", cell: ({ expiresAt }) => (expiresAt === null ? "Never" : <Moment at={expiresAt} />) }
]

interface PromoCodesProps {
  /** Undefined for the promo codes of the platform, which belong to no organization. */
  readonly organizationId: OrganizationId | undefined
}

/** The promo codes of an organization, or those of the platform. */
export const PromoCodes = ({ organizationId }: PromoCodesProps) => {
  const may = useMay()
  const [typed, setTyped] = useState("")
  const code = typed.trim() === "" ? undefined : promoTermOf(typed)
  const list = useList([...promoCodesKey(organizationId), code], (cursor: PagePosition | undefined) =>
    adminPromoCodes.list({
      query: {
        limit: 50,
        ...(organizationId === undefined ? { isGlobal: "true" } : { organizationId }),
        ...(code !== undefined && { code }),
        ...(cursor !== undefined && { cursor })
      }
    })
  )
  return (
    <PartList
      caption="Promo codes"
      list={list}
      columns={columns}
      actions={
        may("adminPromoCodes", "change")
          ? (promoCode) => <PromoCodeActions promoCode={promoCode} organizationId={organizationId} />
          : undefined
      }
      choice={
        <Field
          label="Code or name"
          isLabelHidden
          type="search"
          placeholder="Code or name"
          value={typed}
          onChange={setTyped}
        />
      }
      add={
        may("adminPromoCodes", "create") ? (
          <WindowButton text="Add a promo code" title="Add a promo code" look="primary">
            {(close) => <NewPromoCodeForm organizationId={organizationId} onClose={close} />}
          </WindowButton>
        ) : null
      }
      empty={
        code === undefined ? (
          <Empty title="There is no promo code yet">A promo code lowers the price of a case.</Empty>
        ) : (
          <Empty title="No promo code has this code or name" />
        )
      }
    />
  )
}
