/** The locations of all event types: conferences with a link. */
export const locationKinds = [
  "google_conference",
  "zoom_conference",
  "gotomeeting_conference",
  "microsoft_teams_conference",
  "webex_conference"
] as const
export type LocationKind = (typeof locationKinds)[number]

// The names of booked locations that differ.
const types = new Map<LocationKind, string>([
  ["zoom_conference", "zoom"],
  ["gotomeeting_conference", "gotomeeting"]
])

/** Returns a location as the API shows it: without a link while the conference is being created. */
export const shownLocation = (kind: LocationKind, meetingId: string, isLate: boolean) => ({
  type: types.get(kind) ?? kind,
  status: isLate ? "processing" : "pushed",
  join_url: isLate
    ? null
    : `https://${kind.replace("_conference", "").replaceAll("_", "-")}.example.com/j/${meetingId}`,
  ...(kind !== "google_conference" && !isLate && { data: { id: meetingId } })
})
