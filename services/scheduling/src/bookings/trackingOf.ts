import type { AppointmentTracking } from "@care/domain/scheduling"

/** Returns the tracking of a request in the provider's form, which has all members: null for a missing one. */
export const trackingOf = (tracking: AppointmentTracking): Readonly<Record<string, string | null>> => ({
  utm_campaign: tracking.utmCampaign ?? null,
  utm_source: tracking.utmSource ?? null,
  utm_medium: tracking.utmMedium ?? null,
  utm_content: tracking.utmContent ?? null,
  utm_term: tracking.utmTerm ?? null,
  salesforce_uuid: tracking.salesforceUuid ?? null
})
