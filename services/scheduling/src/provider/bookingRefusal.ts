import { EventTypeUnknown, ProviderRefused, SlotMissing, SlotTaken } from "@care/domain/scheduling"
import type { ProviderErrorResponse } from "./ProviderApi.ts"

export type BookingRefusal = EventTypeUnknown | ProviderRefused | SlotMissing | SlotTaken

// The request's fields by the provider's names.
const fields = new Map([
  ["invitee.email", "email"],
  ["invitee.timezone", "timezone"],
  ["invitee.name", "firstName"],
  ["invitee.first_name", "firstName"],
  ["invitee.last_name", "lastName"],
  ["location", "location"],
  ["location.kind", "location"],
  ["tracking", "tracking"]
])

/** Returns the error for a refused booking. */
export const bookingRefusal = ({ body, status }: ProviderErrorResponse): BookingRefusal => {
  const { details, message = "", title = "" } = body
  const parameters = (details ?? []).map(({ parameter }) => parameter ?? "")
  const codes = (details ?? []).map(({ code }) => code)
  const isTaken = codes.includes("already_filled") || `${title} ${message}`.includes("already_filled")
  if (isTaken || status === 409) return new SlotTaken()
  if (status === 404 || parameters.includes("event_type")) return new EventTypeUnknown()
  if (parameters.includes("start_time")) return new SlotMissing()
  const field = parameters.map((parameter) => fields.get(parameter)).find((name) => name !== undefined)
  return new ProviderRefused({ field: field ?? null })
}
