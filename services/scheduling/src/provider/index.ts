export type { BookingRefusal } from "./bookingRefusal.ts"
export { cancellationOf, type Meeting, meetingOf } from "./meetingOf.ts"
export { dieOutcomeUnknown, outcomeUnknown } from "./outcomeUnknown.ts"
export { ProviderApi, type ProviderRefusal } from "./ProviderApi.ts"
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
export { type CurrentMeeting, type ProviderNotReady, SchedulingProvider } from "./SchedulingProvider.ts"
