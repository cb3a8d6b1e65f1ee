export type { BookingRefusal } from "./bookingRefusal.ts"
export { cancellationOf, type Meeting, meetingOf } from "./meetingOf.ts"
export { outcomeUnknown, unsettled } from "./outcomeUnknown.ts"
export { type CalledFor, ProviderApi, type Refused } from "./ProviderApi.ts"
export { ProviderSettings } from "./ProviderSettings.ts"
export {
  cancellation,
  collectionOf,
  Invitee,
  inviteeEmail,
  isShared,
  resourceOf,
  ScheduledEvent,
  User,
  WebhookSubscription
} from "./providerObjects.ts"
export { type MeetingNow, SchedulingProvider, type Unable } from "./SchedulingProvider.ts"
