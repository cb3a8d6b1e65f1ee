import { eventTypeOf, webhookEvents } from "@care/domain/webhooks"
import { Record, Struct } from "effect"
import type { AwaitingActivity, PlacedEvent } from "./RelayRepo.ts"

/** The event that an entry of a case's record is: of its details what the catalogue says, and nothing else. */
export const eventOf = ({
  caseId,
  details,
  sequence,
  type,
  ...activity
}: AwaitingActivity): ReadonlyArray<PlacedEvent> => {
  const eventType = eventTypeOf(type)
  if (eventType === undefined) return []
  const told = new Set<string>(Struct.keys(webhookEvents[eventType].details))
  const data = { caseId, sequence, ...Record.filter(details, (_, name) => told.has(name)) }
  return [{ ...activity, type: eventType, caseId, data, onlyEndpoint: null, exceptEndpoint: null }]
}
