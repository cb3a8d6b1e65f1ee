import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Struct } from "effect"
import { caseActivities } from "../cases/caseActivities.ts"
import { webhookPayloads } from "./WebhookEvent.ts"
import { eventTypeOf, ownEvents, webhookEvents } from "./webhookEvents.ts"

// Activities without an event: internal steps of the care team, and texts.
const withoutEvent = [
  "CASE_RELEASED",
  "CASE_STARTED",
  "COMMENT_ADDED",
  "NOTE_ADDED",
  "FILE_ATTACHED",
  "FORM_SUBMITTED",
  "PRODUCT_DUE_DATE_CHANGED"
] as const

it("every activity of a case is one event, or listed as none", () => {
  const published = Struct.keys(webhookEvents).flatMap((type) => webhookEvents[type].activities)
  assert.sameMembers([...published, ...withoutEvent], Struct.keys(caseActivities))
  for (const activity of withoutEvent) assert.isUndefined(eventTypeOf(activity))
  for (const type of Struct.keys(webhookEvents)) {
    for (const activity of webhookEvents[type].activities) assert.strictEqual(eventTypeOf(activity), type)
  }
})

it("an event contains only ids and statuses of its case's record", () => {
  for (const type of Struct.keys(webhookEvents)) {
    const { activities, details } = webhookEvents[type]
    for (const activity of activities) {
      assert.includeMembers(Object.keys(caseActivities[activity].details), Object.keys(details), `${type} ${activity}`)
    }
    for (const name of Object.keys(details)) assert.match(name, /Id$|^(from|to|status)$/, type)
  }
})

// That each fits its schema is tested with the public document.
it("the example of each event has all its fields", () => {
  for (const { example, payload, type } of webhookPayloads) {
    assert.sameMembers(Object.keys(example.data), Object.keys(payload.fields.data.fields), type)
  }
})

it("the guide's table of events lists each of them with its fields", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guides/webhook-endpoints.md"), "utf8")
  const rows = [...guide.matchAll(/^\| `((?:case\.|webhook\.|ping)[a-z.]*)` *\|[^|]*\|([^|]*)\|$/gm)]
  const documented = rows.map(([, type = "", details = ""]) => [
    type,
    [...details.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  ])
  const events = { ...webhookEvents, ...ownEvents }
  assert.deepStrictEqual(
    Object.fromEntries(documented),
    Object.fromEntries(Struct.keys(events).map((type) => [type, Object.keys(events[type].details)]))
  )
})
