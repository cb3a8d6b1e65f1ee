import { Choice } from "../../ui/Choice.tsx"
import { Field } from "../../ui/Field.tsx"
import { hasLink, type OrderDraft, statusOptions } from "./orderChange.ts"

interface OrderFieldsProps {
  readonly draft: OrderDraft
  /** Mistakes are shown after the first try, and then as long as they are there. */
  readonly isTried: boolean
  readonly onChange: (draft: OrderDraft) => void
}

/** What may be changed of an order. Empty fields stay as they are. */
export const OrderFields = ({ draft, isTried, onChange }: OrderFieldsProps) => (
  <>
    <Choice
      label="Status"
      value={draft.status}
      options={statusOptions}
      onChange={(status) => onChange({ ...draft, status })}
    />
    <div className="grid gap-3 sm:grid-cols-2">
      <Field
        label="Tracking number"
        maxLength={255}
        value={draft.trackingId}
        onChange={(trackingId) => onChange({ ...draft, trackingId })}
      />
      <Field
        label="Carrier"
        maxLength={100}
        value={draft.carrierName}
        onChange={(carrierName) => onChange({ ...draft, carrierName })}
      />
    </div>
    <Field
      label="Tracking link"
      type="url"
      validate={() => (isTried && !hasLink(draft) ? "Write the whole link, from https:// on." : null)}
      maxLength={2048}
      value={draft.trackingUrl}
      onChange={(trackingUrl) => onChange({ ...draft, trackingUrl })}
    />
    <Field
      label="Message"
      hint="The partner reads it."
      rows={3}
      maxLength={10_000}
      value={draft.message}
      onChange={(message) => onChange({ ...draft, message })}
    />
  </>
)
