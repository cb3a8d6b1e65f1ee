import { Schema } from "effect"
import { meetingsOf, remainingCapacity } from "./bookings.ts"
import type { Call } from "./Call.ts"
import { checkOwner } from "./checkOwner.ts"
import { listPage } from "./listPage.ts"
import { type MeetingType, meetingTypes, pageOfType, shownType } from "./MeetingType.ts"
import { optional, owner, page, seconds, sortedBy, time, uriOf } from "./params.ts"
import { invalid, notFound } from "./Refusal.ts"
import { route } from "./route.ts"
import { slotsBetween } from "./slots.ts"

/** Returns the event type with an id. */
export const typeAt = (id: string | undefined): MeetingType => {
  const type = meetingTypes.find((candidate) => candidate.id === id)
  if (type === undefined) throw notFound()
  return type
}

const Listed = Schema.Struct({
  ...page,
  ...owner,
  active: optional(Schema.Literals(["true", "false"])),
  sort: sortedBy("name")
})

const longestMillis = 31 * 24 * 3600 * 1000

const Times = Schema.Struct({ event_type: uriOf("event_types"), start_time: time, end_time: time })

const openTimes = (call: Call, { end_time: until, event_type, start_time: from }: typeof Times.Type) => {
  const type = typeAt(event_type)
  if (from <= call.now) throw invalid({ parameter: "start_time", message: "has to be in the future" })
  if (until <= from) throw invalid({ parameter: "end_time", message: "has to be after start_time" })
  if (until - from > longestMillis) {
    throw invalid({ parameter: "end_time", message: "has to be within 31 days of start_time" })
  }
  const length = type.minutes * 60_000
  const meetings = meetingsOf(call, type, from, until + length)
  const capacityLeft = (slot: number): number => {
    const overlapping = meetings.filter(({ end, start }) => start < slot + length && end > slot)
    return remainingCapacity(type, slot, overlapping)
  }
  const open = type.isActive ? slotsBetween(type, from, until).filter((slot) => capacityLeft(slot) > 0) : []
  return {
    collection: open.map((slot) => ({
      status: "available",
      invitees_remaining: capacityLeft(slot),
      start_time: seconds(slot),
      scheduling_url: `${pageOfType(type)}/${seconds(slot)}`
    }))
  }
}

/** The routes of event types and their open slots. */
export const eventTypeRoutes = [
  route("GET", "/event_types", Listed, ({ url }, { active, sort, ...query }, { path }) => {
    const isOwned = checkOwner(query)
    const rows = meetingTypes.filter(
      (type) => isOwned(type.host) && (active === undefined || type.isActive === (active === "true"))
    )
    return listPage({ path, url }, query, {
      rows,
      keyOf: ({ id, name }) => `${name} ${id}`,
      isDescending: sort === "name:desc",
      show: (type) => shownType(url, type)
    })
  }),
  route("GET", "/event_types/:type", Schema.Struct({}), ({ url }, _, { ids: [id] }) => ({
    resource: shownType(url, typeAt(id))
  })),
  route("GET", "/event_type_available_times", Times, openTimes)
]
