import { DeliveryStatus } from "@care/domain/webhooks/WebhookDelivery"
import { WebhookEventType } from "@care/domain/webhooks/WebhookEvent"
import { Choice } from "../../ui/Choice.tsx"
import { TimeField } from "../../ui/TimeField.tsx"
import { CaseField } from "../CaseField.tsx"
import { timeIn } from "../timeIn.ts"
import type { DeliveriesSearch } from "./DeliveriesSearch.ts"
import { deliveryInWords } from "./DeliveryState.tsx"

interface DeliveryFiltersProps {
  readonly search: DeliveriesSearch
  readonly onChange: (search: DeliveriesSearch) => void
}

const statuses = [
  { value: "ALL", text: "All" },
  ...DeliveryStatus.literals.map((value) => ({ value, text: deliveryInWords(value) }))
] as const

const types = [
  { value: "ALL", text: "All" },
  ...WebhookEventType.literals.map((value) => ({ value, text: value }))
] as const

/** The filters of deliveries. */
export const DeliveryFilters = ({ onChange, search }: DeliveryFiltersProps) => (
  <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-5">
    <Choice
      label="Status"
      value={search.status ?? "ALL"}
      options={statuses}
      onChange={(next) => onChange({ ...search, status: next === "ALL" ? undefined : next })}
    />
    <Choice
      label="Event"
      value={search.eventType ?? "ALL"}
      options={types}
      onChange={(next) => onChange({ ...search, eventType: next === "ALL" ? undefined : next })}
    />
    <CaseField value={search.caseId} onChange={(caseId) => onChange({ ...search, caseId })} />
    <TimeField
      label="Since"
      value={timeIn(search.since)}
      onChange={(since) => onChange({ ...search, since: since?.toISOString() })}
    />
    <TimeField
      label="Until"
      value={timeIn(search.until)}
      onChange={(until) => onChange({ ...search, until: until?.toISOString() })}
    />
  </div>
)
