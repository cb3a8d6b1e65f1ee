import { type Host, jane, pageOfHost, tom, userUri } from "./Host.ts"
import { locationKinds } from "./location.ts"
import { micros } from "./params.ts"

/** A meeting of so many minutes with a host, that can be booked. */
export interface MeetingType {
  readonly id: string
  readonly name: string
  readonly minutes: number
  readonly host: Host
  readonly isActive: boolean
  /** The invitees of a slot. Those of several share one scheduled event. */
  readonly capacity: number
  /** The limit of an invitee's future meetings of this type. */
  readonly maxPerInvitee: number
}

const eventType = (
  id: string,
  name: string,
  minutes: number,
  host: Host,
  options: Partial<Pick<MeetingType, "isActive" | "maxPerInvitee" | "capacity">> = {}
): MeetingType => ({
  id,
  name,
  minutes,
  host,
  isActive: true,
  capacity: 1,
  maxPerInvitee: Number.POSITIVE_INFINITY,
  ...options
})

/** All event types, by name. */
export const meetingTypes: ReadonlyArray<MeetingType> = [
  eventType("et_demo_15min", "15 Minute Check-in", 15, jane),
  eventType("et_demo_30min", "30 Minute Consultation", 30, jane),
  eventType("et_demo_60min", "60 Minute Evaluation", 60, jane),
  eventType("et_demo_london_30min", "London 30 Minute Consultation", 30, tom),
  eventType("et_demo_retired", "Retired 30 Minute Consultation", 30, jane, { isActive: false }),
  eventType("et_demo_shared_60min", "Shared 60 Minute Class", 60, tom, { capacity: 3 }),
  eventType("et_demo_single_30min", "Single 30 Minute Consultation", 30, tom, { maxPerInvitee: 1 })
]

export const eventTypeUri = (url: string, { id }: MeetingType): string => `${url}/event_types/${id}`

/** Returns the booking page of an event type. */
export const pageOfType = ({ host, minutes }: MeetingType): string => `${pageOfHost(host)}/${minutes}min`

const madeAt = micros(Date.UTC(2024, 0, 2, 15))

/** Returns an event type as the API shows it. */
export const shownType = (url: string, type: MeetingType) => ({
  uri: eventTypeUri(url, type),
  name: type.name,
  active: type.isActive,
  admin_managed: false,
  booking_method: "instant",
  color: "#0b6e4f",
  created_at: madeAt,
  custom_questions: [],
  deleted_at: null,
  description_html: null,
  description_plain: null,
  duration: type.minutes,
  duration_options: null,
  internal_note: null,
  is_paid: false,
  kind: type.capacity > 1 ? "group" : "solo",
  kind_description: type.capacity > 1 ? "Group" : "One-on-One",
  locale: "en",
  locations: locationKinds.map((kind) => ({ kind })),
  pooling_type: null,
  position: meetingTypes.indexOf(type),
  profile: { type: "User", name: type.host.name, owner: userUri(url, type.host) },
  scheduling_url: pageOfType(type),
  secret: false,
  slug: `${type.minutes}min`,
  type: "StandardEventType",
  updated_at: madeAt
})
