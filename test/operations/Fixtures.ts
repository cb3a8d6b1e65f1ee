import type { CreatedCredential, UsedCredential } from "@care/domain/auth"
import type { createCaseExample } from "@care/domain/cases/createCaseExample"
import type { OperationId } from "./ids.ts"
import type { Request } from "./Request.ts"

/** A patient with a case. */
export interface PatientCase {
  readonly caseId: string
  readonly shortId: string
  readonly userId: string
  readonly email: string
  readonly phoneNumber: string
}

/** Headers with a session of staff. */
type WithHeaders<A> = A & { readonly headers: Readonly<Record<string, string>> }

/** A member of staff with a session of their own, two passkeys, and recovery codes. */
type StaffFixture = WithHeaders<{
  readonly userId: string
  readonly sessionId: string
  readonly passkeyId: string
  readonly recoveryCode: string
}>

/** The ids and texts of an organization from which requests are made. Each method makes a new thing that was not used yet. */
export interface Fixtures {
  readonly organizationId: string
  readonly productId: string
  readonly providerId: string
  /** Sends a request that has to be accepted, and returns the body of the response. */
  readonly send: (id: OperationId, request: Request) => Promise<unknown>
  /** The text that is used wherever something is said about a patient. */
  readonly text: string
  /** Returns a number that was not used yet. */
  readonly next: () => number
  /** Makes the data of a new patient. */
  readonly person: () => Promise<typeof createCaseExample.user>
  /** Makes an email address that is not in use. */
  readonly newEmail: () => Promise<string>
  readonly case: () => Promise<PatientCase>
  readonly assignedCase: () => Promise<PatientCase>
  /** Makes a case of a patient who may begin another one. */
  readonly formerCase: () => Promise<PatientCase>
  /** Makes a case through the API, never from a seed, so that the sealed data of its patient can be opened. */
  readonly newCase: () => Promise<PatientCase>
  /** Makes a case of the organization's sandbox, which has a provider. */
  readonly sandboxCaseId: () => Promise<string>
  /** Makes such a case with an order. */
  readonly orderedSandboxCaseId: () => Promise<string>
  readonly closedCase: () => Promise<PatientCase>
  /** Makes ten cases that wait for a provider to join. */
  readonly waitingCases: () => Promise<void>
  /** Waits until no open case of the organization is unassigned. */
  readonly untilAssigned: () => Promise<void>
  readonly escalation: () => Promise<PatientCase & { readonly escalationId: string }>
  readonly escalationId: () => Promise<string>
  /** Makes an order that the pharmacy has received. */
  readonly order: () => Promise<PatientCase & { readonly orderId: string }>
  readonly orderId: () => Promise<string>
  /** Makes an order in error. */
  readonly failedOrder: () => Promise<void>
  readonly caseWithFile: () => Promise<PatientCase & { readonly documentUrl: string }>
  /** The URL of a file on another server. */
  readonly fileUrl: string
  readonly form: () => Promise<{ readonly formId: string; readonly questionId: string }>
  readonly bundleId: () => Promise<string>
  /** Makes a product that no case has. */
  readonly unusedProductId: () => Promise<string>
  readonly otherOrganizationId: () => Promise<string>
  readonly memberId: () => Promise<string>
  readonly apiKey: () => Promise<{ readonly id: string; readonly key: string }>
  readonly promoCodeId: () => Promise<string>
  /** Returns a valid promo code. */
  readonly promoCode: () => Promise<string>
  readonly calendarEvent: () => Promise<PatientCase & { readonly eventId: string }>
  readonly slot: () => Promise<string>
  readonly appointment: () => Promise<PatientCase & { readonly appointmentId: string }>
  /** Makes an appointment, and returns its id at the scheduling provider. */
  readonly meetingId: () => Promise<string>
  readonly code: () => Promise<{ readonly email: string; readonly code: string }>
  /** Signs a member of staff in, with a passkey. */
  readonly staff: () => Promise<StaffFixture>
  /** Makes an operator of the platform. */
  readonly operatorId: () => Promise<string>
  /** Returns the headers of a session of the provider. */
  readonly providerSession: () => Promise<WithHeaders<object>>
  /** Makes a new member of staff to whom a code was sent. */
  readonly staffCode: () => Promise<{ readonly email: string; readonly code: string }>
  /** Returns an answer to a challenge for a new passkey, and the session that asked for it. */
  readonly createdCredential: () => Promise<WithHeaders<{ readonly credential: CreatedCredential }>>
  /** Returns an answer to a challenge for a passkey, without a session. */
  readonly usedCredential: () => Promise<UsedCredential>
  /** Begins the sign-in of a device. Returns its codes and the session of a person who may approve it. */
  readonly device: () => Promise<WithHeaders<{ readonly deviceCode: string; readonly userCode: string }>>
  /** Returns a setting of single sign-on for a domain that nobody has. */
  readonly singleSignOn: () => Promise<{
    readonly issuer: string
    readonly clientId: string
    readonly clientSecret: string
    readonly domain: string
  }>
  /** Gives the organization a single sign-on, and returns an email of its domain. */
  readonly singleSignOnEmail: () => Promise<string>
  readonly session: () => Promise<{ readonly accessToken: string; readonly refreshToken: string }>
  /** Makes a confirmed setup intent of a patient. */
  readonly setup: () => Promise<PatientCase & { readonly setupId: string }>
  /** Returns a confirmed setup intent that belongs to no patient. */
  readonly setupIntentId: () => Promise<string>
  readonly savedMethod: () => Promise<PatientCase>
  readonly heldPayment: () => Promise<PatientCase & { readonly paymentId: string }>
  readonly heldPaymentId: () => Promise<string>
  readonly takenPaymentId: () => Promise<string>
  /** Makes a payment of a case, and returns its payment intent. */
  readonly paidIntentId: () => Promise<string>
  /** Returns an endpoint that events were delivered to. */
  readonly endpointId: () => Promise<string>
  /** Makes an endpoint that may be removed. */
  readonly newEndpointId: () => Promise<string>
  /** Returns an enabled endpoint. */
  readonly enabledEndpointId: () => Promise<string>
  /** Removes the endpoints that `POST /api/v1/webhook-endpoints` has made, because their number is limited. */
  readonly roomForEndpoint: () => Promise<void>
  readonly delivery: () => Promise<{ readonly deliveryId: string; readonly eventId: string }>
  /** Returns an endpoint to which no delivery is being replayed. */
  readonly idleEndpointId: () => Promise<string>
  /** Makes a dead-lettered job. */
  readonly failedJobId: () => Promise<string>
}
