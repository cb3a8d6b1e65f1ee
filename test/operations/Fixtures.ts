import type { createCaseExample } from "@care/domain/cases/createCaseExample"
import type { OperationId } from "./ids.ts"
import type { Request } from "./Request.ts"

/** A patient with a case. */
export interface PatientCase {
  readonly caseId: string
  readonly userId: string
  readonly email: string
  readonly phoneNumber: string
}

/** What requests are made of: the ids and texts of an organization. What a method makes nothing was done with yet. */
export interface Fixtures {
  readonly organizationId: string
  readonly productId: string
  readonly providerId: string
  /** Sends a request, which is accepted: the body of the answer. */
  readonly send: (id: OperationId, request: Request) => Promise<unknown>
  /** What a text says of a patient. */
  readonly text: string
  /** A number that nobody had yet. */
  readonly next: () => number
  /** A patient whom nobody has seen before. */
  readonly person: () => Promise<typeof createCaseExample.user>
  /** An address that nobody has. */
  readonly newEmail: () => Promise<string>
  readonly case: () => Promise<PatientCase>
  readonly assignedCase: () => Promise<PatientCase>
  /** The case of a patient who may begin another. */
  readonly formerCase: () => Promise<PatientCase>
  /** A case that an operation made, and not a seed: what is sealed of its patient can be opened. */
  readonly newCase: () => Promise<PatientCase>
  readonly closedCase: () => Promise<PatientCase>
  /** Ten cases wait for a provider who joins. */
  readonly waitingCases: () => Promise<void>
  readonly untilAssigned: () => Promise<void>
  readonly escalationId: () => Promise<string>
  /** An order that the pharmacy has. */
  readonly orderId: () => Promise<string>
  readonly caseWithFile: () => Promise<PatientCase & { readonly documentUrl: string }>
  /** A file of somebody else's server. */
  readonly fileUrl: string
  readonly form: () => Promise<{ readonly formId: string; readonly questionId: string }>
  readonly bundleId: () => Promise<string>
  readonly otherOrganizationId: () => Promise<string>
  readonly memberId: () => Promise<string>
  readonly apiKey: () => Promise<{ readonly id: string; readonly key: string }>
  readonly promoCodeId: () => Promise<string>
  /** A promo code that may be used. */
  readonly promoCode: () => Promise<string>
  readonly calendarEvent: () => Promise<PatientCase & { readonly eventId: string }>
  readonly slot: () => Promise<string>
  readonly appointment: () => Promise<PatientCase & { readonly appointmentId: string }>
  /** The id that the scheduling provider has for an appointment. */
  readonly meetingId: () => Promise<string>
  readonly code: () => Promise<{ readonly email: string; readonly code: string }>
  readonly session: () => Promise<{ readonly accessToken: string; readonly refreshToken: string }>
  /** A setup intent that a patient has confirmed. */
  readonly setup: () => Promise<PatientCase & { readonly setupId: string }>
  /** A setup intent that is confirmed, and of no patient. */
  readonly setupIntentId: () => Promise<string>
  readonly savedMethod: () => Promise<PatientCase>
  readonly heldPaymentId: () => Promise<string>
  readonly takenPaymentId: () => Promise<string>
  /** A payment intent that a case was paid with. */
  readonly paidIntentId: () => Promise<string>
  /** An endpoint that events were delivered to, and one that may be removed. */
  readonly endpointId: () => Promise<string>
  readonly newEndpointId: () => Promise<string>
  /** An enabled endpoint. */
  readonly enabledEndpointId: () => Promise<string>
  /** The number of endpoints has a limit: one that was made for `POST /api/v1/webhook-endpoints` goes before the next. */
  readonly roomForEndpoint: () => Promise<void>
  readonly delivery: () => Promise<{ readonly deliveryId: string; readonly eventId: string }>
  /** Nothing is sent again to the endpoint just now. */
  readonly idleEndpointId: () => Promise<string>
  /** A job that was dead-lettered. */
  readonly failedJobId: () => Promise<string>
}
