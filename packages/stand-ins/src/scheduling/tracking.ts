import { Schema } from "effect"

const text = Schema.NullOr(Schema.String)

/** Where an invitee came from: all of it, or nothing. */
export const Tracking = Schema.Struct({
  utm_campaign: text,
  utm_source: text,
  utm_medium: text,
  utm_content: text,
  utm_term: text,
  salesforce_uuid: text
})

/** That nobody said where an invitee came from. */
export const noTracking: typeof Tracking.Type = {
  utm_campaign: null,
  utm_source: null,
  utm_medium: null,
  utm_content: null,
  utm_term: null,
  salesforce_uuid: null
}
