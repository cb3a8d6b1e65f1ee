import type { AppointmentTracking } from "@care/domain/scheduling"

/** As the provider wants it: all members, of which those that nobody told are null. */
export const trackingOf = (told: AppointmentTracking): Readonly<Record<string, string | null>> => ({
  utm_campaign: told.utmCampaign ?? null,
  utm_source: told.utmSource ?? null,
  utm_medium: told.utmMedium ?? null,
  utm_content: told.utmContent ?? null,
  utm_term: told.utmTerm ?? null,
  salesforce_uuid: told.salesforceUuid ?? null
})
