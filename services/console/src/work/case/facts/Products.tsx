import type { AdminCase } from "@care/domain/cases"
import { Badge } from "../../../ui/Badge.tsx"
import { Moment } from "../../../ui/Moment.tsx"
import { money } from "../../../ui/money.ts"
import { Panel } from "../../../ui/Panel.tsx"
import { dayInWords, visitWords } from "../words.ts"

/** What the case is about, and what that costs now. */
export const Products = ({ products }: Pick<AdminCase, "products">) => (
  <Panel title="Products">
    <ul className="flex flex-col divide-y divide-line">
      {products.map(({ closeReason, closedAt, currency, dueDate, name, price, productId, status, visitType }) => (
        <li key={productId} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2">
          <span dir="auto" className="min-w-0 font-medium break-words">
            {name}
          </span>
          <span className="text-muted">{visitWords[visitType]}</span>
          {dueDate === null ? null : <span className="text-muted">Due {dayInWords(dueDate)}</span>}
          {status === "OPEN" ? null : <Badge text="Closed" />}
          {closedAt === null ? null : (
            <span className="text-sm text-muted">
              <Moment at={closedAt} /> <span dir="auto">{closeReason}</span>
            </span>
          )}
          <span className="ml-auto tabular-nums">
            {price === null || currency === null ? (
              <span className="text-muted">No price</span>
            ) : (
              money(Number(price), currency)
            )}
          </span>
        </li>
      ))}
    </ul>
  </Panel>
)
