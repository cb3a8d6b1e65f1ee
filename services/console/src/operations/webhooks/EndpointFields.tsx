import { WebhookEventType } from "@care/domain/webhooks/WebhookEvent"
import { Field } from "../../ui/Field.tsx"
import { Radios } from "../../ui/Radios.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { Ticks } from "../../ui/Ticks.tsx"

/** What is typed and chosen about a webhook endpoint. */
export interface EndpointDraft {
  readonly url: string
  readonly events: "ALL" | "SOME"
  readonly eventTypes: ReadonlyArray<string>
  readonly includeTestCases: boolean
}

/** Returns the draft as the API takes it. */
export const endpointIn = ({ eventTypes, events, includeTestCases, url }: EndpointDraft) => ({
  url,
  eventTypes: events === "ALL" ? null : eventTypes,
  includeTestCases
})

const types = WebhookEventType.literals.map((value) => ({ value, text: value }))

interface EndpointFieldsProps {
  readonly draft: EndpointDraft
  readonly onChange: (draft: EndpointDraft) => void
}

export const EndpointFields = ({ draft, onChange }: EndpointFieldsProps) => (
  <>
    <Field
      label="Address"
      name="url"
      type="url"
      value={draft.url}
      onChange={(url) => onChange({ ...draft, url })}
      hint="It begins with https://, and has to be reachable from the internet."
      autoFocus
    />
    <Radios
      label="Events"
      value={draft.events}
      options={[
        { value: "ALL", text: "All, also those to come" },
        { value: "SOME", text: "Only these" }
      ]}
      onChange={(events) => onChange({ ...draft, events })}
    />
    {draft.events === "ALL" ? null : (
      <Ticks
        label="Types of events"
        options={types}
        error={null}
        value={draft.eventTypes}
        onChange={(eventTypes) => onChange({ ...draft, eventTypes })}
        empty="There is no type."
        required={{ name: "eventTypes", text: "Tick at least one, or choose “All, also those to come”." }}
      />
    )}
    <Tick isSelected={draft.includeTestCases} onChange={(includeTestCases) => onChange({ ...draft, includeTestCases })}>
      Send events of test cases, too
    </Tick>
  </>
)
