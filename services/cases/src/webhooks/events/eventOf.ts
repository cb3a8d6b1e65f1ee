import { eventTypeOf, webhookEvents } from "@care/domain/webhooks"
import { Record, Struct } from "effect"
import type { AwaitingActivity, PlacedEvent } from "./RelayRepo.ts"

/** Returns the event of an entry of a case's activity, with the details that the catalogue names and no others. */
export const eventOf = ({
  caseId,
  details,
  sequence,
  type,
  ...activity
}: AwaitingActivity): ReadonlyArray<PlacedEvent> => {
  const eventType = eventTypeOf(type)
  if (eventType === undefined) return []
  const listedDetails = new Set<string>(Struct.keys(webhookEvents[eventType].details))
  const data = { caseId, sequence, ...Record.filter(details, (_, name) => listedDetails.has(name)) }
  return [{ ...activity, type: eventType, caseId, data, onlyEndpoint: null, exceptEndpoint: null }]
}
