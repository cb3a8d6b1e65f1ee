import { Schema } from "effect"

export const MeetingLocation = Schema.Literals([
  "google_conference",
  "zoom_conference",
  "gotomeeting_conference",
  "microsoft_teams_conference",
  "webex_conference"
])
export type MeetingLocation = typeof MeetingLocation.Type
