// Written by `pnpm client:types` from the public document.

export interface Actor {
  readonly type: "API_KEY" | "USER" | "PATIENT" | "OPERATOR" | "JOB" | "SERVICE" | "PHARMACY" | "STRIPE" | "SCHEDULING"
  readonly id: string | null
}

export interface AddEscalation {
  readonly action: "ADD_ESCALATION"
  readonly escalations: ReadonlyArray<{
    readonly type: "support" | "clinical" | "external"
    /** Exactly one of the titles of the type. support: Cancellation; Hold Order; Missing ID; ID received -ready to process; Missed appointment -reschedule; Order Medication; Waiting for patient reply; Lab request; Payment Link Generated; Payment Received; Missing CIF; Payment Confirmation Received; Payment: Refund Request; Waiting on Pharmacy reply; Waiting on External support reply; Patient has responded; Call Back Needed - English; Call Back Needed - Spanish; Possible Dispute; Lab Results Uploaded; Erx Order Approved; Case Denied; Delivery/Fulfillment Issue; Billing Question; OUTBOUND - Welcome Call; AGENT - Product Add-on. clinical: Contact Patient; Delinquent Task; Lab Review; NURSING - Nausea Medication Request; Patient has responded to providers question; Place Erx Order; Ready for Review - Medication Change; Ready for Review - New; Ready for Review - Renewal; Review Erx Order; Review Prescription; Review Severe Side Effects; Review Side Effects; Sign LMN; Waiting for Patient Reply. external: Patient requesting to cancel Sub; ID Verification; Missing Payment; Payment Issue; Disgruntled Customer; Cost Questions; Check-in form received - Missing payment; Miscellaneous; Assignment: Assign New Provider; Antinausea Request; Nursing Review; Account Manager Request; No Decision For Case; Payment Received; Missing CIF; Virtual Consult - Sync Review; Possible Dispute; Lab Request; Lab Request Placed; Lab Results Ready for Review; Pharmacy Delay; Refund Needed; Subscription Change. Deprecated titles are accepted, and replaced by the one to use. support: Address verification (use Waiting for patient reply); Cancel Rx with Pharmacy (use Waiting on Pharmacy reply); Broken contents (use Delivery/Fulfillment Issue); Incorrect package contents (use Delivery/Fulfillment Issue); Misdelivery (use Delivery/Fulfillment Issue); Non-receipt of medication (use Delivery/Fulfillment Issue); Order delays (use Delivery/Fulfillment Issue); Refill not processed (use Delivery/Fulfillment Issue); Shipping Delays (use Delivery/Fulfillment Issue); Temperature concerns (use Delivery/Fulfillment Issue); Order on a later date (use Hold Order); Patient on vacation delay shipping (use Hold Order); Patient has a question (use Patient has responded); Price question (use Billing Question); Promo code questions (use Billing Question). clinical: Ready for Review (use Ready for Review - New); Refill Ready for Review (use Ready for Review - Renewal); Refill pending for review (use Ready for Review - Renewal); PROVIDER - Rx Review Needed (use Ready for Review - Medication Change); NURSING - Clarification Needed on Prescription (use Review Prescription); NURSING - Dosing Adjustment Request (use Review Prescription); NURSING - Medication Change Request (use Review Prescription); NURSING - Nurse Contact Request (Phone) (use Contact Patient); NURSING - Nurse Contact Request (Messaging) (use Contact Patient); NURSING - Patient Reporting Side Effects (use Review Side Effects); Provider Review - Severe Side Effect / Reaction (use Review Severe Side Effects); Sign the medical necessity form (use Sign LMN). */
    readonly title: string
    readonly note?: string | null | undefined
    readonly followUpDueAt?: string | null | undefined
    readonly assignedToEmail?: string | null | undefined
  }>
}

export interface AdvanceClock {
  readonly by?: string | null | undefined
  readonly to?: string | null | undefined
}

export interface Appointments {
  readonly status: 200
  readonly success: true
  readonly message: string
  /** The first 1000, sorted by their end. */
  readonly data: ReadonlyArray<ListedAppointment>
}

export interface Attachment {
  readonly id: string
  readonly fileName: string
  readonly contentType: string
  readonly size: number
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly uploadedAt: string
  readonly content?: string | undefined
  readonly url?: string | undefined
  readonly uploadedBy: UserSummary
}

export interface AuditRecord {
  readonly id: string
  readonly service: "auth" | "cases" | "payments" | "scheduling"
  readonly organizationId: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly at: string
  readonly action: "CASE_CREATED" | "CASE_ASSIGNED" | "CASE_RELEASED" | "CASE_STARTED" | "CASE_OPENED" | "CASE_CLOSED" | "CASE_REOPENED" | "DECISION_ADDED" | "COMMENT_ADDED" | "NOTE_ADDED" | "FILE_ATTACHED" | "FORM_SUBMITTED" | "ORDER_PLACED" | "ORDER_CHANGED" | "ESCALATION_ADDED" | "ESCALATION_COMPLETED" | "PRODUCT_CLOSED" | "PRODUCT_DUE_DATE_CHANGED" | "PAYMENT_CHANGED" | "CALENDAR_EVENT_CREATED" | "CALENDAR_EVENT_CANCELLED" | "CASE_READ" | "CASE_FOUND" | "GLASS_BROKEN" | "STEP_SIMULATED" | "SANDBOX_RESET" | "CLOCK_ADVANCED" | "DOCUMENT_READ" | "PATIENT_ENROLLED" | "PATIENT_FOUND" | "PATIENT_REMOVED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "PROFILE_READ" | "PROFILE_CHANGED" | "EMAIL_CHANGED" | "SIGNED_IN" | "SESSION_RENEWED" | "SIGNED_OUT" | "PAYMENTS_READ" | "PAYMENT_METHOD_SAVED" | "PAYMENT_CONFIRMED" | "APPOINTMENTS_READ" | "CANCELLATION_ASKED" | "CALENDAR_EVENT_CHANGED" | "STAFF_SIGNED_IN" | "SECOND_FACTOR_ADDED" | "SECOND_FACTOR_REMOVED" | "SECOND_FACTOR_RESET" | "MEMBER_ADDED" | "MEMBER_CHANGED" | "MEMBER_REMOVED" | "KEY_ISSUED" | "KEY_CHANGED" | "KEY_REVOKED" | "SINGLE_SIGN_ON_CHANGED"
  readonly actor: Actor
  readonly caseId: string | null
  readonly userId: string | null
  readonly apiKeyId?: string | undefined
  readonly requestId: string
  readonly kinds: ReadonlyArray<"PROFILE" | "SIGN_IN" | "CASES" | "ACTIVITY" | "FORMS" | "COMMENTS" | "DECISIONS" | "DOCUMENTS" | "ORDERS" | "ESCALATIONS" | "PAYMENTS" | "APPOINTMENTS" | "BREAK_GLASS">
  /** The cases of a list that was read, and their patients. Empty if no list was read. */
  readonly shown: ReadonlyArray<ShownCase>
}

export interface AuditRecords {
  readonly status: 200
  readonly success: true
  readonly message: string
  readonly data: ReadonlyArray<AuditRecord>
  readonly nextCursor: string | null
  /** Months whose records were moved to an archive, and are on no page. Absent if there are none. */
  readonly archivedMonths?: ReadonlyArray<string> | undefined
}

export interface BookAppointment {
  readonly eventTypeId: string
  /** ISO 8601, in UTC unless it has an offset. The seconds are optional */
  readonly startTime: string
  readonly email: string
  /** An IANA time zone, such as America/New_York */
  readonly timezone: string
  readonly location: "google_conference" | "zoom_conference" | "gotomeeting_conference" | "microsoft_teams_conference" | "webex_conference"
  readonly firstName?: string | null | undefined
  readonly lastName?: string | null | undefined
  readonly tracking?: {
    readonly utmCampaign?: string | null | undefined
    readonly utmSource?: string | null | undefined
    readonly utmMedium?: string | null | undefined
    readonly utmContent?: string | null | undefined
    readonly utmTerm?: string | null | undefined
    readonly salesforceUuid?: string | null | undefined
  } | null | undefined
}

export interface BundleForm {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly isActive: boolean
  readonly questions: ReadonlyArray<{
    readonly id: string
    readonly text: string
    readonly type: "TEXT" | "BOOLEAN" | "DATE" | "DATERANGE" | "SINGLESELECT" | "MULTISELECT" | "FILE" | "WIDGET_USER_ID_DOCUMENT" | "WIDGET_BMI" | "WIDGET_STATE_PICKER" | "WIDGET_VISIT_TYPE" | "STATEMENT"
    readonly hint: string
    readonly placeholder: string
    readonly isPHI: boolean
    readonly options: ReadonlyArray<string>
    readonly required: boolean
    readonly renderMode: null
    readonly index: number
    readonly condition: null
    readonly organizationDocument: null
  }>
}

export interface CalendarEventCancelled {
  readonly status: 200
  readonly success: true
  readonly message: "Calendar event cancelled successfully"
  readonly data: {
    readonly success: true
  }
}

export interface CalendarEventCreated {
  readonly status: 200
  readonly success: true
  readonly message: "Case calendar event created successfully"
  readonly data: {
    readonly success: true
  }
}

export interface CancelAppointment {
  readonly email: string
  readonly appointmentId: string
  readonly reason?: string | null | undefined
}

export interface CancelCalendarEvent {
  readonly action: "CANCEL_CALENDAR_EVENT"
  readonly calendar: {
    readonly id: string
  }
}

/** Medication was ordered */
export interface CaseActivityEvent {
  readonly type: "case.activity"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly orderId: string
  }
}

/** An appointment or another event was added to the calendar of the case */
export interface CaseAppointmentBookedEvent {
  readonly type: "case.appointment.booked"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly eventId: string
  }
}

/** An appointment or another event in the calendar of the case was cancelled */
export interface CaseAppointmentCancelledEvent {
  readonly type: "case.appointment.cancelled"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly eventId: string
  }
}

/** The case was assigned to a provider */
export interface CaseAssignedEvent {
  readonly type: "case.assigned"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly from: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly to: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly providerId: string
  }
}

export interface CaseCalendarEvent {
  readonly id: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly startDateTime: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly endDateTime: string
  readonly timezone: string
  readonly meetingLink: string
  readonly cancelURL: string
  readonly rescheduleURL: string
  readonly meetingNotes: string
  readonly meetingProvider: string
  readonly organizer: UserSummary | null
  readonly participants: ReadonlyArray<UserSummary>
}

/** A case was closed */
export interface CaseClosedEvent {
  readonly type: "case.closed"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly from: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly to: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
  }
}

/** A case was created with a status other than ABANDONED */
export interface CaseCreatedEvent {
  readonly type: "case.created"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly status: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
  }
}

/** A provider decided on the case */
export interface CaseDecisionAddedEvent {
  readonly type: "case.decision.added"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly from: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly to: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly decisionId: string
  }
}

export interface CaseDetail {
  readonly id: string
  readonly shortId: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
  readonly title: string
  readonly status: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
  readonly type: "ASYNC_TEXT_EMAIL" | "SYNC_IN_PERSON" | "SYNC_PHONE" | "SYNC_VIDEO"
  readonly submitter: UserSummary
  readonly assignedTo: UserSummary | null
  readonly assignedBy: UserSummary | null
  readonly inProgressAt: string | null
  readonly closedAt: string | null
  readonly isArchived: boolean
  /** The newest 1000, oldest first. */
  readonly attachments?: ReadonlyArray<Attachment> | undefined
  /** The newest 1000, oldest first. */
  readonly comments: ReadonlyArray<Comment>
  /** The newest 1000, oldest first. */
  readonly notes: ReadonlyArray<Comment>
  /** The newest 1000, oldest first. */
  readonly decisions: ReadonlyArray<Decision>
  /** The newest 1000, oldest first. */
  readonly calendarEvents?: ReadonlyArray<CaseCalendarEvent> | undefined
  /** The newest 1000, oldest first. */
  readonly orders?: ReadonlyArray<Order> | undefined
}

/** The case was escalated */
export interface CaseEscalationAddedEvent {
  readonly type: "case.escalation.added"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly escalationId: string
  }
}

/** An escalation was completed */
export interface CaseEscalationCompletedEvent {
  readonly type: "case.escalation.completed"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly escalationId: string
  }
}

/** An abandoned, assigned or open case was set to OPEN, or a closed case was reopened */
export interface CaseOpenedEvent {
  readonly type: "case.opened"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly from: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly to: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
  }
}

/** The status or the details of an order changed */
export interface CaseOrderUpdatedEvent {
  readonly type: "case.order.updated"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly orderId: string
    readonly status: "PENDING" | "SUBMITTED" | "SHIPPED" | "DELIVERED" | "CANCELED" | "ERROR"
  }
}

export interface CasePayment {
  readonly paymentId: string
  readonly status: "UNPAID" | "AUTHORIZED" | "PAID" | "CANCELED" | "IN_DISPUTE" | "LOST_DISPUTE" | "REFUND" | "ERROR"
  readonly amount: number
  readonly description: string | null
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
}

/** The status of a payment of the case changed, or an attempt to pay it failed (UNPAID). A new payment that is UNPAID causes no event */
export interface CasePaymentUpdatedEvent {
  readonly type: "case.payment.updated"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly paymentId: string
    readonly status: "UNPAID" | "AUTHORIZED" | "PAID" | "CANCELED" | "IN_DISPUTE" | "LOST_DISPUTE" | "REFUND" | "ERROR"
  }
}

/** A product of the case was closed */
export interface CaseProductClosedEvent {
  readonly type: "case.product.closed"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly caseId: string
    readonly sequence: number
    readonly productId: string
  }
}

export interface CaseProductUpdated {
  readonly status: 200
  readonly success: true
  readonly message: "Case product updated successfully"
  readonly data: {
    readonly success: true
  }
}

export interface CaseStatusChanged {
  readonly status: 200
  readonly success: true
  readonly message: "Case opened successfully" | "Case closed successfully" | "Case reopened successfully"
}

export interface ChangeCaseStatus {
  readonly action: "CHANGE_CASE_STATUS"
  readonly status: "OPEN" | "CLOSE" | "REOPEN"
  readonly reason?: string | null | undefined
}

export interface ClockAdvance {
  readonly id: string
  /** `STOPPED`: it ended before its target, after 2000 stops at due work or failures. Move the clock again to go on */
  readonly state: "MOVING" | "DONE" | "STOPPED"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly from: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly target: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly reached: string
  /** How often the clock stopped for due work */
  readonly steps: number
}

export interface Comment {
  readonly id: string
  readonly text: string
  readonly author: UserSummary
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  readonly isRestricted: boolean
  readonly attachments: ReadonlyArray<Attachment>
}

export interface Contact {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly dob: string
  readonly phoneNumber: string
  readonly gender: "MALE" | "FEMALE" | "OTHER" | ""
  readonly address: string
  readonly address2: string | null
  readonly city: string
  readonly state: string
  readonly country: string
  readonly postalCode: string
}

export interface CreateCalendarEvent {
  readonly action: "CREATE_CALENDAR_EVENT"
  readonly calendar: {
    readonly title: string
    /** `custom`. Events of other agents cannot be cancelled with CANCEL_CALENDAR_EVENT */
    readonly agentName: string
    readonly description?: string | null | undefined
    /** ISO 8601, in UTC unless it has an offset. The seconds are optional */
    readonly startTime: string
    /** ISO 8601, in UTC unless it has an offset. The seconds are optional */
    readonly endTime: string
    /** An IANA time zone, such as America/New_York */
    readonly timeZone: string
    readonly meetingLink: string
    readonly location: "google_conference" | "zoom_conference" | "gotomeeting_conference" | "microsoft_teams_conference" | "webex_conference"
    readonly provider?: {
      readonly email: string
      readonly name: string
    } | null | undefined
  }
}

export interface CreateCase {
  readonly status?: string | null | undefined
  /** Whether it is a test case. A test case is not assigned automatically, causes no email or SMS, is not sent to a pharmacy or the scheduling provider, and its events are sent only to webhook endpoints with `includeTestCases`. Its payments are real */
  readonly isTest?: boolean | null | undefined
  /** Creates the case even if the patient has one that is OPEN, ASSIGNED or IN_PROGRESS. Otherwise the request is refused with 409 */
  readonly forceCreate?: boolean | null | undefined
  /** The same as the header `Idempotency-Key`, and takes precedence over it. One of them is required for an ABANDONED case with a PAYMENT_INTENT; use a new key for each attempt to pay */
  readonly idempotencyKey?: string | null | undefined
  readonly user: {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
    /** An E.164 phone number. Required unless the case is ABANDONED */
    readonly phoneNumber?: string | null | undefined
    /** `YYYY-MM-DD`, not in the future (422). Required unless the case is ABANDONED */
    readonly dob?: string | null | undefined
    readonly gender?: "MALE" | "FEMALE" | "OTHER" | null | undefined
    /** ISO 639 codes of two or three letters, optionally with a region: `es`, `haw`, `en-US`. Other values are refused with 422 */
    readonly languagePreferences?: ReadonlyArray<string> | null | undefined
    readonly shippingAddress?: {
      readonly addressLine1?: string | null | undefined
      readonly addressLine2?: string | null | undefined
      readonly city?: string | null | undefined
      readonly state?: string | null | undefined
      readonly country?: string | null | undefined
      readonly postalCode?: string | null | undefined
    } | null | undefined
  }
  readonly payment?: {
    readonly amount?: number | null | undefined
    readonly currency?: string | null | undefined
    readonly description?: string | null | undefined
    /** `UNPAID` (the default), or `PAID` with a payment intent that has succeeded at the payment gateway. Other values are refused with 422. Later changes come from the payment gateway */
    readonly status?: string | null | undefined
    readonly promoCode?: string | null | undefined
    readonly providerReference: {
      readonly type: "SETUP_INTENT" | "PAYMENT_INTENT" | "PAYMENT_TOKEN"
      /** The id at the payment gateway, without `_secret_` and what follows it: `pi_...`, `seti_...`, `pm_...` or `tok_...` */
      readonly id: string
    }
  } | null | undefined
  readonly products: ReadonlyArray<{
    readonly id: string
    /** `ASYNC_TEXT_EMAIL` by default */
    readonly visitType?: "ASYNC_TEXT_EMAIL" | "SYNC_IN_PERSON" | "SYNC_PHONE" | "SYNC_VIDEO" | null | undefined
    readonly payment?: {
      readonly promoCode?: string | null | undefined
    } | null | undefined
    readonly form?: {
      /** The name of the product by default */
      readonly title?: string | null | undefined
      readonly description?: string | null | undefined
      readonly questions?: ReadonlyArray<{
        readonly question: string
        /** For a select with `options`, one of them; for MULTISELECT also several in one string, separated by commas or semicolons, or a JSON array. May be empty unless `required` */
        readonly answer: string
        readonly type: "TEXT" | "SINGLESELECT" | "MULTISELECT"
        readonly required?: boolean | null | undefined
        /** The answer is protected health information */
        readonly phi?: boolean | null | undefined
        readonly options?: ReadonlyArray<string> | null | undefined
      }> | null | undefined
    } | null | undefined
  }>
}

export interface CreateDynamicCase {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** `YYYY-MM-DD`, not before 1900, not in the future */
  readonly dob?: string | null | undefined
  readonly gender?: string | null | undefined
  /** An E.164 phone number */
  readonly phoneNumber?: string | null | undefined
  /** The password of a patient without one. An existing password is not changed */
  readonly password?: string | null | undefined
  readonly shippingAddress?: {
    readonly addressLine1?: string | null | undefined
    readonly addressLine2?: string | null | undefined
    readonly city?: string | null | undefined
    readonly state?: string | null | undefined
    readonly country?: string | null | undefined
    readonly postalCode?: string | null | undefined
  } | null | undefined
  /** ISO 639 codes of two or three letters, optionally with a region: `es`, `haw`, `en-US` */
  readonly languagePreferences?: ReadonlyArray<string> | null | undefined
  /** `formTitle` or `formId` is required */
  readonly formTitle?: string | null | undefined
  readonly formDescription?: string | null | undefined
  /** Ignored if `formTitle` is sent */
  readonly formId?: string | null | undefined
  /** The id of a confirmed setup intent, `seti_...` */
  readonly gatewaySetupId?: string | null | undefined
  /** The id of a payment intent, `pi_...` */
  readonly gatewayPaymentId?: string | null | undefined
  readonly questions: ReadonlyArray<{
    /** Required with `formId`; ignored with `formTitle` */
    readonly questionId?: string | null | undefined
    /** Required with `formTitle`; ignored with `formId` */
    readonly question?: string | null | undefined
    /** Required with `formTitle`; ignored with `formId` */
    readonly type?: "TEXT" | "BOOLEAN" | "DATE" | "DATERANGE" | "SINGLESELECT" | "MULTISELECT" | "FILE" | "WIDGET_USER_ID_DOCUMENT" | "WIDGET_BMI" | "WIDGET_STATE_PICKER" | "WIDGET_VISIT_TYPE" | "STATEMENT" | null | undefined
    /** Required with `formTitle`; ignored with `formId` */
    readonly required?: boolean | null | undefined
    readonly answer?: unknown
    /** The answer is protected health information */
    readonly phi?: boolean | null | undefined
    readonly hint?: string | null | undefined
    readonly placeholder?: string | null | undefined
    /** Required with `formTitle` for SINGLESELECT and MULTISELECT */
    readonly options?: ReadonlyArray<string> | null | undefined
  }>
}

export interface CreatePayment {
  /** In major units: positive, below 1,000,000,000 */
  readonly amount: number
  readonly description: string
  readonly productId?: string | null | undefined
  readonly status?: "UNPAID" | null | undefined
  readonly idempotencyKey?: string | null | undefined
  readonly preauthorize?: boolean | null | undefined
}

export interface Decision {
  readonly id: string
  readonly isApproved: boolean
  readonly isNoDecision: boolean
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly startDate: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly endDate: string
  readonly decisionText: string
  readonly category: string | null
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  readonly visitType: string
  readonly productId: string | null
  readonly addedBy: {
    readonly firstName: string
    readonly lastName: string
    readonly title: string
    readonly titleSuffix: string
    readonly email: string
    readonly phoneNumber: string
    readonly npi: string
    readonly dea: string
    readonly address: string
    readonly address2: string | null
    readonly city: string
    readonly state: string
    readonly postalCode: string
    readonly country: string | null
  }
  readonly medInfo: ReadonlyArray<{
    readonly id: string
    readonly medicine: string
    readonly dosage: string
    readonly refillCount: number
    readonly pharmacyInstructions: string
    readonly dosingFrequency: string
    readonly externalId: string | null
    readonly isRefill: boolean
    readonly treatmentPeriod: string
    readonly isPriorAuthRequested: boolean
  }>
}

export interface DeliveryAttempt {
  readonly number: number
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly at: string
  readonly durationMillis: number
  readonly status: number | null
  readonly failure: string | null
  readonly answer: string | null
}

export type DeliveryStatus = "PENDING" | "DELIVERED" | "FAILED"

/** `EARLIER_EVENT`: an earlier event of the case goes first. `ENDPOINT_DISABLED`: the endpoint, or its organization, is disabled. `ENDPOINT_BUSY`: the endpoint answered 429, 502 or 504, and receives nothing `until` then. `NEXT_ATTEMPT`: the last attempt failed, and the next is made at `until` */
export interface DeliveryWait {
  readonly reason: "EARLIER_EVENT" | "ENDPOINT_DISABLED" | "ENDPOINT_BUSY" | "NEXT_ATTEMPT"
  readonly deliveryId: string | null
  readonly eventId: string | null
  readonly until: string | null
}

export type DisabledReason = "GONE" | "FAILING"

/** Email updated successfully */
export interface EmailUpdated {
  readonly status: 200
  readonly success: true
  readonly message: "Email updated successfully"
  readonly data: {
    readonly user: Contact
  }
}

export interface Escalation {
  readonly id: string
  readonly type: "support" | "clinical" | "external"
  readonly title: string
  readonly note?: string | undefined
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly followUpDueAt?: string | undefined
  readonly assignedToUserId?: string | undefined
  readonly isCompleted: boolean
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
}

/** The active escalations of the case */
export interface EscalationsAdded {
  readonly status: 200
  readonly success: true
  readonly message: "Escalation(s) added successfully"
  readonly data: {
    /** The newest 1000, oldest first. */
    readonly escalations: ReadonlyArray<Escalation>
  }
}

export interface ListedAppointment {
  readonly id: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
  readonly title: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly start: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly end: string
  readonly topic: string
  readonly description: string
  readonly color: string
  readonly isEditable: boolean
  readonly agentEventId: string
  readonly agentName: string
  readonly status: "SCHEDULED" | "COMPLETED" | "CANCELLED"
  readonly isDeleted: boolean
  readonly meetingDetails: MeetingDetails
  readonly case: {
    readonly id: string
    readonly shortId: string
    readonly status: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly title: string
  }
  readonly submitter: {
    readonly id: string
    readonly email: string
    readonly firstName: string
    readonly lastName: string
  }
}

export interface ListedCase {
  readonly id: string
  readonly shortId: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
  readonly title: string
  readonly status: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
  readonly type: "ASYNC_TEXT_EMAIL" | "SYNC_IN_PERSON" | "SYNC_PHONE" | "SYNC_VIDEO"
  readonly submitter: UserSummary
  readonly assignedTo: UserSummary | null
  readonly inProgressAt: string | null
  readonly closedAt: string | null
  readonly isArchived: boolean
}

export interface ListedWebhookEvent {
  readonly id: string
  readonly type: WebhookEventType
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: { readonly [name: string]: string | number }
  readonly isTest: boolean
}

export interface LoggedRequest {
  readonly id: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly at: string
  readonly method: string
  /** The path with the names of its parameters, and with the action of a body that names one */
  readonly path: string
  readonly status: number
  /** The milliseconds until the response began */
  readonly durationMs: number
  /** The `x-request-id` of the response */
  readonly requestId: string
  readonly apiKeyId: string
  /** The `care-error-code` of the response */
  readonly errorCode: string | null
  /** The `care-version` of the response */
  readonly version: string | null
}

export interface MeetingDetails {
  readonly timezone: string
  readonly location: string
  readonly meetingLink: string
  readonly meetingProvider: string
  readonly meetingNotes: string
  readonly cancelURL: string
  readonly rescheduleURL: string
  readonly host: {
    readonly email: string
    readonly name: string
  } | null
}

export interface NewPaymentIntent {
  /** In major units: positive, below 1,000,000,000 */
  readonly amount: number
  readonly currency?: string | null | undefined
  readonly paymentMethodTypes?: ReadonlyArray<string> | null | undefined
  readonly metadata?: {
    readonly email?: string | null | undefined
    readonly phone?: string | null | undefined
  } | null | undefined
}

export interface NewSetupIntent {
  readonly email?: string | null | undefined
  readonly metadata?: {
    readonly email?: string | null | undefined
    readonly phone?: string | null | undefined
  } | null | undefined
}

export interface NewWebhookEndpoint {
  readonly url: string
  readonly eventTypes?: ReadonlyArray<WebhookEventType> | null | undefined
  readonly enabled?: boolean | null | undefined
  readonly includeTestCases?: boolean | null | undefined
}

export interface OpenSlot {
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly startTime: string
  readonly inviteesRemaining: number
}

export interface Order {
  readonly id: string
  readonly externalId: string
  readonly pharmacyOrderId: string
  readonly trackingId: string | null
  readonly status: "PENDING" | "SUBMITTED" | "SHIPPED" | "DELIVERED" | "CANCELED" | "ERROR"
  readonly message: string | null
  readonly pharmacyName: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  readonly items: ReadonlyArray<{
    readonly name: string
    readonly quantity: string
  }>
  readonly replacementReason: string | null
  readonly shippingLogs: ReadonlyArray<{
    /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
    readonly statusUpdatedAt: string
    readonly location: string | null
    readonly message: string | null
    readonly status: string | null
  }>
  readonly estDeliveryAt: string | null
  readonly trackingUrl: string | null
  readonly carrierName: string | null
}

export interface PartnerBundle {
  readonly id: string
  readonly name: string
  readonly imageUrl: string
  readonly description: string
  readonly price: string
  readonly priceUnit: string
  readonly initialDiscount: string
  readonly isSoldOut: boolean
  readonly isVisible: boolean
}

export interface PartnerProduct {
  readonly id: string
  readonly name: string
  readonly description: string | null
  readonly price: string | null
  readonly currency: string | null
  readonly isArchived: boolean
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
}

export interface PaymentConfirmation {
  readonly caseId: string
  readonly amount: number
  readonly paymentDate: string
  readonly status: "PAID" | "UNPAID" | "CANCELED" | "IN_DISPUTE" | "LOST_DISPUTE" | "REFUND" | "ERROR"
  readonly validUntil: string
  readonly email?: string | null | undefined
  readonly phoneNumber?: string | null | undefined
  readonly decisionId?: string | null | undefined
  readonly description?: string | null | undefined
}

export interface PaymentInfoUpdated {
  readonly status: 200
  readonly success: true
  readonly message: string
  readonly data: {
    readonly code: "PAYMENT_SETUP_UPDATED"
  }
}

export interface PaymentOfCase {
  readonly paymentId: string
  readonly status: "UNPAID" | "AUTHORIZED" | "PAID" | "CANCELED" | "IN_DISPUTE" | "LOST_DISPUTE" | "REFUND" | "ERROR"
  readonly amount: number | null
  readonly grossAmount: number | null
  readonly discount: number | null
  readonly currency: string | null
  readonly description: string | null
  readonly productId: string | null
  readonly isInitial: boolean
  readonly providerReference: {
    readonly type: "SETUP_INTENT" | "PAYMENT_INTENT" | "PAYMENT_TOKEN"
    readonly id: string
  } | null
  /** When the authorization expires. A payment that is not captured by then becomes CANCELED. Known only for cards. */
  readonly captureBefore: string | null
  /** What the payment gateway gave back. Null of a payment that was not made there */
  readonly refunded: number | null
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
}

export interface PaymentSetup {
  readonly gatewaySetupID: string
  readonly shippingAddress: {
    readonly line1: string
    readonly line2?: string | null | undefined
    readonly city: string
    /** Two letters; in the US, the code of a state */
    readonly state: string
    /** An ISO 3166 country code of two letters */
    readonly country: string
    /** In the US, 5 digits or ZIP+4 */
    readonly postal_code: string
  }
}

/** A test event, sent on request */
export interface PingEvent {
  readonly type: "ping"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly endpointId: string
  }
}

export interface PlaceOrder {
  readonly action: "PLACE_ORDER"
  readonly idempotencyKey?: string | null | undefined
  readonly order: {
    readonly shippingAddress?: {
      readonly addressLine1: string
      readonly addressLine2?: string | null | undefined
      readonly city: string
      /** The two-letter code of a US state, in any letter case */
      readonly state: string
      /** Two letters, in any letter case */
      readonly country: string
      /** A US postal code: exactly 5 digits */
      readonly postalCode: string
    } | null | undefined
    readonly patientHealthInfo?: {
      readonly allergies?: string | null | undefined
      readonly healthConditions?: string | null | undefined
      readonly currentMedications?: string | null | undefined
    } | null | undefined
    readonly prescriber: {
      readonly firstName: string
      readonly lastName: string
      readonly npi: string
      readonly email: string
      /** In E.164, such as +14155552671, or in US format. It has to be a possible number, but need not be assigned */
      readonly phoneNumber: string
      readonly address: {
        readonly addressLine1: string
        readonly addressLine2?: string | null | undefined
        readonly city: string
        /** The two-letter code of a US state, in any letter case */
        readonly state: string
        /** Two letters, in any letter case */
        readonly country: string
        /** A US postal code: exactly 5 digits */
        readonly postalCode: string
      }
      readonly title?: string | null | undefined
      readonly titleSuffix?: string | null | undefined
      readonly dea?: string | null | undefined
    }
    readonly diagnosis: string
    readonly pharmacyId: string
    readonly dateWritten?: string | null | undefined
    readonly dateSigned?: string | null | undefined
    readonly datePrescribed?: string | null | undefined
    readonly prescriptionItems: ReadonlyArray<{
      readonly drugId: string
      readonly quantity: string
      readonly direction?: string | null | undefined
      readonly refillCount?: number | null | undefined
      readonly supplyDays?: number | null | undefined
      readonly customFields?: {
        readonly documentUrl?: string | null | undefined
      } | null | undefined
    }>
  }
}

export interface Profile {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly dob: string
  readonly phoneNumber: string
  readonly gender: "MALE" | "FEMALE" | "OTHER" | ""
  readonly address: string
  readonly address2: string | null
  readonly city: string
  readonly state: string
  readonly country: string
  readonly postalCode: string
  readonly allergies: string
  readonly currentMedications: string
  readonly healthConditions: string
  readonly languagePreferences: ReadonlyArray<string>
  readonly communication: {
    readonly smsNotificationsDisabled: boolean
    readonly notificationsDisabled: boolean
  }
  readonly role: "USER" | "PROVIDER" | "THIRD_PARTY_ADMIN" | "SUPPORT" | "ADMIN" | "DEVELOPER" | "OPERATOR"
  readonly isActive: boolean
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
}

/** Profile updated successfully */
export interface ProfileUpdated {
  readonly status: 200
  readonly success: true
  readonly message: "Profile updated successfully"
  readonly data: {
    readonly user: Profile
  }
}

export type PromoDiscount = {
  readonly flatDiscount: number
} | {
  readonly percentDiscount: number
}

export interface QueuedDelivery {
  readonly id: string
  readonly eventId: string
  readonly endpointId: string
}

export interface ReplayMissing {
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly since: string
}

export interface ReplayRange {
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly since: string
  readonly until?: string | null | undefined
}

export interface ResendEvent {
  readonly endpointId?: string | null | undefined
}

export interface SendCode {
  readonly email?: string | null | undefined
  readonly phoneNumber?: string | null | undefined
  readonly channel?: "EMAIL" | "SMS" | null | undefined
}

export interface ShownCase {
  readonly caseId: string
  readonly userId: string | null
}

export interface SignedIn {
  readonly status: 200
  readonly success: true
  readonly accessToken: string
  readonly expiresIn: number
  readonly refreshToken: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly refreshTokenExpiresAt: string
  readonly patientId: string
}

export interface Simulated {
  readonly case: {
    readonly id: string
    readonly status: "OPEN" | "ABANDONED" | "ASSIGNED" | "IN_PROGRESS" | "APPROVED" | "REJECTED" | "NO_DECISION"
    readonly isArchived: boolean
  }
  readonly possible: ReadonlyArray<StepName>
}

export type SimulatedStep = {
  readonly step: "ASSIGN"
  /** By default a provider of the sandbox, which gets one if it has none */
  readonly providerId?: string | null | undefined
} | {
  readonly step: "START"
} | {
  readonly step: "COMMENT"
  readonly text: string
} | {
  readonly step: "APPROVE"
  readonly decisionText?: string | null | undefined
  readonly productId?: string | null | undefined
  readonly medInfo?: ReadonlyArray<{
    readonly medicine: string
    readonly dosage?: string | null | undefined
    readonly refillCount?: number | null | undefined
    readonly pharmacyInstructions?: string | null | undefined
    readonly dosingFrequency?: string | null | undefined
    readonly externalId?: string | null | undefined
    readonly isRefill?: boolean | null | undefined
    readonly treatmentPeriod?: string | null | undefined
    readonly isPriorAuthRequested?: boolean | null | undefined
  }> | null | undefined
} | {
  readonly step: "REJECT"
  readonly decisionText?: string | null | undefined
} | {
  readonly step: "NO_DECISION"
  readonly decisionText?: string | null | undefined
} | {
  readonly step: "ESCALATION_COMPLETED"
  /** By default the oldest active escalation */
  readonly escalationId?: string | null | undefined
} | {
  readonly step: "APPOINTMENT_MISSED"
} | {
  readonly step: "ORDER_ACCEPTED"
  /** By default the newest order that the step is possible for */
  readonly orderId?: string | null | undefined
  readonly pharmacyOrderId?: string | null | undefined
} | {
  readonly step: "ORDER_SHIPPED"
  /** By default the newest order that the step is possible for */
  readonly orderId?: string | null | undefined
  readonly trackingId?: string | null | undefined
  readonly trackingUrl?: string | null | undefined
  readonly carrierName?: string | null | undefined
  readonly estDeliveryAt?: string | null | undefined
} | {
  readonly step: "ORDER_DELIVERED"
  /** By default the newest order that the step is possible for */
  readonly orderId?: string | null | undefined
} | {
  readonly step: "ORDER_REFUSED"
  /** By default the newest order that the step is possible for */
  readonly orderId?: string | null | undefined
  readonly message?: string | null | undefined
} | {
  readonly step: "ORDER_REPLACED"
  /** By default the newest order that the step is possible for */
  readonly orderId?: string | null | undefined
  readonly replacementReason: string
} | {
  readonly step: "PAYMENT_SUCCEEDED"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
} | {
  readonly step: "PAYMENT_FAILED"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
} | {
  readonly step: "PAYMENT_AUTHORIZED"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
} | {
  readonly step: "PAYMENT_CANCELED"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
} | {
  readonly step: "PAYMENT_REFUNDED"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
  /** By default all that is not refunded yet */
  readonly amount?: number | null | undefined
} | {
  readonly step: "DISPUTE_OPENED"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
} | {
  readonly step: "DISPUTE_WON"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
} | {
  readonly step: "DISPUTE_LOST"
  /** By default the newest payment that the step is possible for */
  readonly paymentId?: string | null | undefined
} | {
  readonly step: "APPOINTMENT_BOOKED"
  readonly eventTypeId: string
  /** ISO 8601, in UTC unless it has an offset. The seconds are optional */
  readonly startTime: string
} | {
  readonly step: "APPOINTMENT_MOVED"
  /** By default the next appointment that the step is possible for */
  readonly appointmentId?: string | null | undefined
  /** ISO 8601, in UTC unless it has an offset. The seconds are optional */
  readonly startTime: string
} | {
  readonly step: "WEBHOOKS_FAIL"
  /** For how long each webhook endpoint of the sandbox counts as answering 500, by the sandbox's clock */
  readonly for: string
}

export type StepName = "ASSIGN" | "START" | "COMMENT" | "APPROVE" | "REJECT" | "NO_DECISION" | "ESCALATION_COMPLETED" | "APPOINTMENT_MISSED" | "ORDER_ACCEPTED" | "ORDER_SHIPPED" | "ORDER_DELIVERED" | "ORDER_REFUSED" | "ORDER_REPLACED" | "PAYMENT_SUCCEEDED" | "PAYMENT_FAILED" | "PAYMENT_AUTHORIZED" | "PAYMENT_CANCELED" | "PAYMENT_REFUNDED" | "DISPUTE_OPENED" | "DISPUTE_WON" | "DISPUTE_LOST" | "APPOINTMENT_BOOKED" | "APPOINTMENT_MOVED" | "WEBHOOKS_FAIL"

export interface SubmitCaseForm {
  /** The API key of the organization. Ignored if the header has a key */
  readonly key?: string | null | undefined
  readonly caseId: string
  readonly formTitle: string
  readonly formDescription?: string | null | undefined
  readonly questions: ReadonlyArray<{
    readonly questionId: string
    readonly question: string
    readonly type: string
    /** Any JSON value with at most 32 levels and 10000 values. Its format depends on the type of the question. */
    readonly answer: unknown
    readonly required?: boolean | null | undefined
    readonly phi?: boolean | null | undefined
    readonly hint?: string | null | undefined
    readonly placeholder?: string | null | undefined
    readonly options?: ReadonlyArray<string> | null | undefined
  }>
}

export interface TestMessage {
  readonly id: string
  readonly channel: "EMAIL" | "SMS"
  readonly to: string
  readonly subject: string | null
  readonly text: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** False of an SMS to a number that SMS do not reach: one of the magic values of the guide of testing */
  readonly isDelivered: boolean
}

export interface UpdateCaseProduct {
  readonly action: "UPDATE_CASE_PRODUCT"
  readonly caseProductInput: {
    readonly productId: string
    readonly status?: "CLOSE" | null | undefined
    readonly reason?: string | null | undefined
    readonly dueDate?: string | null | undefined
  }
}

export interface UpdateEmail {
  readonly action: "UPDATE_EMAIL"
  readonly data: {
    readonly currentEmail: string
    readonly newEmail: string
  }
}

export interface UpdatePaymentInfo {
  readonly action: "UPDATE_PAYMENT_INFO"
  /** Required, at the top level or in `data`. The top level takes precedence */
  readonly email?: string | null | undefined
  /** Required, at the top level or in `data`. The top level takes precedence */
  readonly gatewaySetupId?: string | null | undefined
  /** Required, at the top level or in `data`. The top level takes precedence */
  readonly gatewayPaymentToken?: string | null | undefined
  /** Required, at the top level or in `data`. The top level takes precedence */
  readonly shippingAddress?: {
    readonly addressLine1: string
    readonly addressLine2: string
    readonly city: string
    readonly state: string
    readonly country: string
    readonly postalCode: string
  } | null | undefined
  /** The fields that are not at the top level. Ignored if all fields are at the top level */
  readonly data?: {
    /** Required, at the top level or in `data`. The top level takes precedence */
    readonly email?: string | null | undefined
    /** Required, at the top level or in `data`. The top level takes precedence */
    readonly gatewaySetupId?: string | null | undefined
    /** Required, at the top level or in `data`. The top level takes precedence */
    readonly gatewayPaymentToken?: string | null | undefined
    /** Required, at the top level or in `data`. The top level takes precedence */
    readonly shippingAddress?: {
      readonly addressLine1: string
      readonly addressLine2: string
      readonly city: string
      readonly state: string
      readonly country: string
      readonly postalCode: string
    } | null | undefined
  } | null | undefined
}

export interface UpdateProfile {
  readonly action: "UPDATE_PROFILE"
  readonly data: {
    readonly email: string
    readonly firstName?: string | null | undefined
    readonly lastName?: string | null | undefined
    readonly dob?: string | null | undefined
    readonly gender?: string | null | undefined
    readonly phoneNumber?: string | null | undefined
    readonly address?: string | null | undefined
    readonly address2?: string | null | undefined
    readonly city?: string | null | undefined
    readonly state?: string | null | undefined
    readonly country?: string | null | undefined
    readonly postalCode?: string | null | undefined
    readonly allergies?: string | null | undefined
    readonly currentMedications?: string | null | undefined
    readonly healthConditions?: string | null | undefined
    readonly languagePreferences?: ReadonlyArray<string> | null | undefined
    readonly communication?: {
      readonly smsNotificationsDisabled?: boolean | null | undefined
      readonly notificationsDisabled?: boolean | null | undefined
    } | null | undefined
  }
}

export interface UserAbsent {
  readonly success: false
  readonly message: "User does not exist"
  readonly data: {
    readonly code: "USER_NOT_FOUND"
  }
}

export interface UserExists {
  readonly success: true
  readonly message: "Email already exists" | "Phone number already exists"
  readonly data: {
    /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
    readonly createdAt: string
    readonly existsInCurrentOrganization: boolean
    readonly code: "EMAIL_EXISTS" | "PHONE_NUMBER_EXISTS"
  }
}

export interface UserSummary {
  readonly id: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly role: "USER" | "PROVIDER" | "THIRD_PARTY_ADMIN" | "SUPPORT" | "ADMIN" | "DEVELOPER" | "OPERATOR"
  readonly phoneNumber: string
  readonly isActive: boolean
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
}

export interface VerifyCode {
  readonly email?: string | null | undefined
  readonly phoneNumber?: string | null | undefined
  readonly code: string
}

export interface WebhookDelivery {
  readonly id: string
  readonly eventId: string
  readonly eventType: WebhookEventType
  readonly caseId: string | null
  readonly status: DeliveryStatus
  /** The newest 20, oldest first. */
  readonly attempts: ReadonlyArray<DeliveryAttempt>
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  readonly nextAttemptAt: string | null
  /** What a pending delivery waits for; null when it is being sent, or about to be, or has ended */
  readonly waitsFor: DeliveryWait | null
}

export interface WebhookEndpoint {
  readonly id: string
  readonly url: string
  readonly eventTypes: ReadonlyArray<WebhookEventType> | null
  readonly enabled: boolean
  readonly includeTestCases: boolean
  readonly disabledReason: DisabledReason | null
  readonly failingSince: string | null
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
}

export interface WebhookEndpointChange {
  readonly eventTypes?: ReadonlyArray<WebhookEventType> | null | undefined
  readonly enabled?: boolean | null | undefined
  readonly includeTestCases?: boolean | null | undefined
  readonly url?: string | null | undefined
}

/** Another endpoint of the organization was disabled because it answered 410 or failed for five days */
export interface WebhookEndpointDisabledEvent {
  readonly type: "webhook.endpoint.disabled"
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly timestamp: string
  readonly data: {
    readonly endpointId: string
    readonly reason: "GONE" | "FAILING"
  }
}

export interface WebhookEndpointWithSecret {
  readonly id: string
  readonly url: string
  readonly eventTypes: ReadonlyArray<WebhookEventType> | null
  readonly enabled: boolean
  readonly includeTestCases: boolean
  readonly disabledReason: DisabledReason | null
  readonly failingSince: string | null
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly createdAt: string
  /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
  readonly updatedAt: string
  readonly secret: string
}

export type WebhookEventType = "case.created" | "case.opened" | "case.assigned" | "case.decision.added" | "case.closed" | "case.activity" | "case.order.updated" | "case.escalation.added" | "case.escalation.completed" | "case.product.closed" | "case.payment.updated" | "case.appointment.booked" | "case.appointment.cancelled" | "ping" | "webhook.endpoint.disabled"

/** The input and the answer of each operation. */
export interface Operations {
  readonly "signIn.sendCode": {
    readonly input: {
      readonly body: SendCode
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
    }
  }
  readonly "signIn.verifyCode": {
    readonly input: {
      readonly body: VerifyCode
    }
    readonly answer: SignedIn
  }
  readonly "signIn.refresh": {
    readonly input: {
      readonly body: {
        readonly refresh_token: string
      }
    }
    readonly answer: SignedIn
  }
  readonly "signIn.signOut": {
    readonly input: {
      readonly body: {
        readonly refresh_token: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
    }
  }
  readonly "users.checkUser": {
    readonly input: {
      readonly query?: {
        readonly email?: string | undefined
        readonly "phone-number"?: string | undefined
      } | undefined
    }
    readonly answer: UserExists | UserAbsent
  }
  readonly "users.me": {
    readonly input: Readonly<Record<never, never>>
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: {
        readonly user: Profile
      }
    }
  }
  readonly "requestLogs.list": {
    readonly input: {
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
        readonly status?: string | undefined
        readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined
        readonly path?: string | undefined
        readonly since?: string | undefined
        readonly until?: string | undefined
        readonly requestId?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ReadonlyArray<LoggedRequest>
      readonly nextCursor: string | null
      /** False if requests of this time are missing, because there were more than 20000 in a day, or too many at once */
      readonly isComplete: boolean
    }
  }
  readonly "testClock.get": {
    readonly input: Readonly<Record<never, never>>
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: {
        /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
        readonly now: string
        readonly advance: ClockAdvance | null
      }
    }
  }
  readonly "testClock.advance": {
    readonly input: {
      readonly body: AdvanceClock
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: {
        /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
        readonly now: string
        readonly advance: ClockAdvance
      }
    } | {
      readonly status: 202
      readonly success: true
      readonly data: {
        readonly progress: ClockAdvance
      }
    }
  }
  readonly "testClock.find": {
    readonly input: {
      readonly params: {
        readonly advanceId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ClockAdvance
    }
  }
  readonly "testMessages.list": {
    readonly input: {
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
        readonly to?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ReadonlyArray<TestMessage>
      readonly nextCursor: string | null
    }
  }
  readonly "testReset.reset": {
    readonly input: Readonly<Record<never, never>>
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: {
        /** ISO 8601. Requests: with any offset, seconds are optional. Responses: in UTC with milliseconds */
        readonly now: string
      }
    } | {
      readonly status: 202
      readonly success: true
      readonly data: {
        readonly isResetting: true
      }
    }
  }
  readonly "intake.createCase": {
    readonly input: {
      readonly body: CreateCase
    }
    readonly answer: {
      readonly success: true
      readonly data: {
        readonly caseId: string
      }
    }
  }
  readonly "reading.cases": {
    readonly input: {
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
        readonly status?: string | undefined
        readonly isArchived?: boolean | undefined
        readonly updatedSince?: string | undefined
        readonly shortId?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ReadonlyArray<ListedCase>
      readonly nextCursor: string | null
    }
  }
  readonly "dynamicCases.createDynamicCase": {
    readonly input: {
      readonly body: CreateDynamicCase
    }
    readonly answer: {
      readonly success: true
      readonly data: {
        readonly caseId: string
        readonly formResponseId: string
      }
    }
  }
  readonly "dynamicCases.submitCaseForm": {
    readonly input: {
      readonly body: SubmitCaseForm
    }
    readonly answer: {
      readonly success: true
      readonly data: {
        readonly caseId: string
        readonly formResponseId: string
      }
    }
  }
  readonly "reading.caseDetail": {
    readonly input: {
      readonly query?: {
        readonly caseId?: string | undefined
        readonly email?: string | undefined
        readonly includeAttachments?: boolean | undefined
        readonly documentFormat?: "base64" | "url" | undefined
        readonly includeCalendarEvents?: boolean | undefined
        readonly includeOrders?: boolean | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly caseDetail: CaseDetail
    }
  }
  readonly "reading.latestCaseId": {
    readonly input: {
      readonly query?: {
        readonly email?: string | undefined
        readonly phoneNumber?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly case: {
        readonly id: string
      }
    }
  }
  readonly "reading.orders": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ReadonlyArray<Order>
      readonly nextCursor: string | null
    }
  }
  readonly "reading.order": {
    readonly input: {
      readonly params: {
        readonly caseId: string
        readonly orderId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: Order
    }
  }
  readonly "reading.escalations": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ReadonlyArray<Escalation>
      readonly nextCursor: string | null
    }
  }
  readonly "reading.escalation": {
    readonly input: {
      readonly params: {
        readonly caseId: string
        readonly escalationId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: Escalation
    }
  }
  readonly "bundles.list": {
    readonly input: {
      readonly query?: {
        readonly isVisible?: boolean | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: ReadonlyArray<PartnerBundle>
    }
  }
  readonly "bundles.get": {
    readonly input: {
      readonly params: {
        readonly bundleUUID: string
      }
      readonly query?: {
        readonly includeIntakeForm?: boolean | undefined
        readonly includeFollowupForm?: boolean | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: {
        readonly bundle: PartnerBundle
        readonly intakeForm?: BundleForm | null | undefined
        readonly followupForm?: BundleForm | null | undefined
      }
    }
  }
  readonly "products.list": {
    readonly input: {
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
        readonly isArchived?: boolean | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ReadonlyArray<PartnerProduct>
      readonly nextCursor: string | null
    }
  }
  readonly "webhookEndpoints.create": {
    readonly input: {
      readonly body: NewWebhookEndpoint
    }
    readonly answer: {
      readonly success: true
      readonly status: 201
      readonly message: string
      readonly data: WebhookEndpointWithSecret
    }
  }
  readonly "webhookEndpoints.list": {
    readonly input: {
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: ReadonlyArray<WebhookEndpoint>
      readonly nextCursor: string | null
    }
  }
  readonly "webhookEndpoints.get": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: WebhookEndpoint
    }
  }
  readonly "webhookEndpoints.change": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
      readonly body: WebhookEndpointChange
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: WebhookEndpoint
    }
  }
  readonly "webhookEndpoints.remove": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
    }
  }
  readonly "webhookEndpoints.rotateSecret": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: WebhookEndpointWithSecret
    }
  }
  readonly "webhookEndpoints.test": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: {
        readonly eventId: string
      }
    }
  }
  readonly "webhookDeliveries.list": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
        readonly status?: DeliveryStatus | undefined
        readonly eventType?: WebhookEventType | undefined
        readonly caseId?: string | undefined
        readonly eventId?: string | undefined
        readonly since?: string | undefined
        readonly until?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: ReadonlyArray<WebhookDelivery>
      readonly nextCursor: string | null
    }
  }
  readonly "webhookDeliveries.replay": {
    readonly input: {
      readonly params: {
        readonly deliveryId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: QueuedDelivery
    }
  }
  readonly "webhookDeliveries.replayRange": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
      readonly body: ReplayRange
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
    }
  }
  readonly "webhookDeliveries.replayMissing": {
    readonly input: {
      readonly params: {
        readonly endpointId: string
      }
      readonly body: ReplayMissing
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
    }
  }
  readonly "webhookDeliveries.resend": {
    readonly input: {
      readonly params: {
        readonly eventId: string
      }
      readonly body: ResendEvent
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: ReadonlyArray<QueuedDelivery>
    }
  }
  readonly "events.list": {
    readonly input: {
      readonly query?: {
        readonly caseId?: string | undefined
        readonly after?: string | undefined
        readonly limit?: number | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: ReadonlyArray<ListedWebhookEvent>
      readonly nextCursor: string | null
    }
  }
  readonly "simulations.possible": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: Simulated
    }
  }
  readonly "simulations.simulate": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: SimulatedStep
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: Simulated
    }
  }
  readonly "newPayments.create": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: CreatePayment
    }
    readonly answer: {
      readonly success: true
      readonly message: "Case payment created successfully"
      readonly data: {
        readonly result: CasePayment
      }
    }
  }
  readonly "paymentReading.list": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
      } | undefined
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: ReadonlyArray<PaymentOfCase>
      readonly nextCursor: string | null
    }
  }
  readonly "paymentReading.get": {
    readonly input: {
      readonly params: {
        readonly caseId: string
        readonly paymentId: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly data: PaymentOfCase
    }
  }
  readonly "intents.createPaymentIntent": {
    readonly input: {
      readonly body: NewPaymentIntent
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: {
        /** The client secret, for the payment gateway's client library. The part before `_secret_` is the id of the payment intent */
        readonly paymentIntentSecret: string
      }
    }
  }
  readonly "intents.createSetupIntent": {
    readonly input: {
      readonly body: NewSetupIntent
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      /** The client secret, for the payment gateway's client library. The part before `_secret_` is the id of the setup intent */
      readonly paymentSecret: string
      readonly data: {
        /** The client secret, for the payment gateway's client library. The part before `_secret_` is the id of the setup intent */
        readonly setupIntentSecret: string
      }
    }
  }
  readonly "paymentSetup.completeSetup": {
    readonly input: {
      readonly body: PaymentSetup
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
    }
  }
  readonly "paymentConfirmations.confirmPayment": {
    readonly input: {
      readonly body: PaymentConfirmation
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
    }
  }
  readonly "promoCodes.check": {
    readonly input: {
      readonly query: {
        readonly code: string
        readonly product_bundle_id?: string | undefined
      }
    }
    readonly answer: {
      readonly success: true
      readonly data: ReadonlyArray<PromoDiscount>
    }
  }
  readonly "bookings.book": {
    readonly input: {
      readonly body: BookAppointment
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
    }
  }
  readonly "appointmentList.list": {
    readonly input: {
      readonly query?: {
        readonly start_date?: string | undefined
        readonly end_date?: string | undefined
        readonly user_email?: string | undefined
      } | undefined
    }
    readonly answer: Appointments
  }
  readonly "bookings.cancel": {
    readonly input: {
      readonly body: CancelAppointment
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
    }
  }
  readonly "availability.slots": {
    readonly input: {
      readonly query: {
        readonly event_type_id: string
        readonly start_time: string
        readonly end_time: string
      }
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: ReadonlyArray<OpenSlot>
    }
  }
  readonly "auditRecords.list": {
    readonly input: {
      readonly query?: {
        readonly limit?: number | undefined
        readonly cursor?: string | undefined
        readonly caseId?: string | undefined
        readonly userId?: string | undefined
        readonly actorId?: string | undefined
        readonly action?: "CASE_CREATED" | "CASE_ASSIGNED" | "CASE_RELEASED" | "CASE_STARTED" | "CASE_OPENED" | "CASE_CLOSED" | "CASE_REOPENED" | "DECISION_ADDED" | "COMMENT_ADDED" | "NOTE_ADDED" | "FILE_ATTACHED" | "FORM_SUBMITTED" | "ORDER_PLACED" | "ORDER_CHANGED" | "ESCALATION_ADDED" | "ESCALATION_COMPLETED" | "PRODUCT_CLOSED" | "PRODUCT_DUE_DATE_CHANGED" | "PAYMENT_CHANGED" | "CALENDAR_EVENT_CREATED" | "CALENDAR_EVENT_CANCELLED" | "CASE_READ" | "CASE_FOUND" | "GLASS_BROKEN" | "STEP_SIMULATED" | "SANDBOX_RESET" | "CLOCK_ADVANCED" | "DOCUMENT_READ" | "PATIENT_ENROLLED" | "PATIENT_FOUND" | "PATIENT_REMOVED" | "PATIENT_EXPORTED" | "PATIENT_ERASED" | "PROFILE_READ" | "PROFILE_CHANGED" | "EMAIL_CHANGED" | "SIGNED_IN" | "SESSION_RENEWED" | "SIGNED_OUT" | "PAYMENTS_READ" | "PAYMENT_METHOD_SAVED" | "PAYMENT_CONFIRMED" | "APPOINTMENTS_READ" | "CANCELLATION_ASKED" | "CALENDAR_EVENT_CHANGED" | "STAFF_SIGNED_IN" | "SECOND_FACTOR_ADDED" | "SECOND_FACTOR_REMOVED" | "SECOND_FACTOR_RESET" | "MEMBER_ADDED" | "MEMBER_CHANGED" | "MEMBER_REMOVED" | "KEY_ISSUED" | "KEY_CHANGED" | "KEY_REVOKED" | "SINGLE_SIGN_ON_CHANGED" | undefined
        readonly from?: string | undefined
        readonly to?: string | undefined
      } | undefined
    }
    readonly answer: AuditRecords
  }
  readonly "caseActions.CHANGE_CASE_STATUS": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: Omit<ChangeCaseStatus, "action">
    }
    readonly answer: CaseStatusChanged
  }
  readonly "caseActions.PLACE_ORDER": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: Omit<PlaceOrder, "action">
    }
    readonly answer: {
      readonly status: 200
      readonly success: true
      readonly message: string
      readonly data: {
        readonly order: {
          readonly id: string
        }
      }
    }
  }
  readonly "caseActions.ADD_ESCALATION": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: Omit<AddEscalation, "action">
    }
    readonly answer: EscalationsAdded
  }
  readonly "caseActions.UPDATE_CASE_PRODUCT": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: Omit<UpdateCaseProduct, "action">
    }
    readonly answer: CaseProductUpdated
  }
  readonly "caseActions.CREATE_CALENDAR_EVENT": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: Omit<CreateCalendarEvent, "action">
    }
    readonly answer: CalendarEventCreated
  }
  readonly "caseActions.CANCEL_CALENDAR_EVENT": {
    readonly input: {
      readonly params: {
        readonly caseId: string
      }
      readonly body: Omit<CancelCalendarEvent, "action">
    }
    readonly answer: CalendarEventCancelled
  }
  readonly "userActions.UPDATE_PROFILE": {
    readonly input: {
      readonly body: Omit<UpdateProfile, "action">
    }
    readonly answer: ProfileUpdated
  }
  readonly "userActions.UPDATE_EMAIL": {
    readonly input: {
      readonly body: Omit<UpdateEmail, "action">
    }
    readonly answer: EmailUpdated
  }
  readonly "userActions.UPDATE_PAYMENT_INFO": {
    readonly input: {
      readonly body: Omit<UpdatePaymentInfo, "action">
    }
    readonly answer: PaymentInfoUpdated
  }
}

/** The body of each webhook event. */
export type WebhookBody = CaseCreatedEvent | CaseOpenedEvent | CaseAssignedEvent | CaseDecisionAddedEvent | CaseClosedEvent | CaseActivityEvent | CaseOrderUpdatedEvent | CaseEscalationAddedEvent | CaseEscalationCompletedEvent | CaseProductClosedEvent | CasePaymentUpdatedEvent | CaseAppointmentBookedEvent | CaseAppointmentCancelledEvent | PingEvent | WebhookEndpointDisabledEvent

interface Route {
  readonly method: string
  readonly path: string
  readonly isKeyed?: true
  readonly action?: string
}

/** The routes of the operations. Those that are keyed take an `idempotency-key`. */
export const routes: { readonly [Id in keyof Operations]: Route } = {
  "signIn.sendCode": { method: "POST", path: "/api/v1/users/auth/send-otp" },
  "signIn.verifyCode": { method: "POST", path: "/api/v1/users/auth/verify-otp" },
  "signIn.refresh": { method: "POST", path: "/api/v1/users/auth/refresh-token" },
  "signIn.signOut": { method: "POST", path: "/api/v1/users/auth/logout" },
  "users.checkUser": { method: "GET", path: "/api/v1/check-user" },
  "users.me": { method: "GET", path: "/api/v1/users/me" },
  "requestLogs.list": { method: "GET", path: "/api/v1/request-logs" },
  "testClock.get": { method: "GET", path: "/api/v1/test/clock" },
  "testClock.advance": { method: "POST", path: "/api/v1/test/clock/advance" },
  "testClock.find": { method: "GET", path: "/api/v1/test/clock/advances/{advanceId}" },
  "testMessages.list": { method: "GET", path: "/api/v1/test/messages" },
  "testReset.reset": { method: "POST", path: "/api/v1/test/reset" },
  "intake.createCase": { method: "POST", path: "/api/v1/cases", isKeyed: true },
  "reading.cases": { method: "GET", path: "/api/v1/cases" },
  "dynamicCases.createDynamicCase": { method: "POST", path: "/api/v1/dynamic-case", isKeyed: true },
  "dynamicCases.submitCaseForm": { method: "POST", path: "/api/v1/customer-dynamic-case-form", isKeyed: true },
  "reading.caseDetail": { method: "GET", path: "/api/v1/customer-case-detail" },
  "reading.latestCaseId": { method: "GET", path: "/api/v1/customer-latest-case-id" },
  "reading.orders": { method: "GET", path: "/api/v1/cases/{caseId}/orders" },
  "reading.order": { method: "GET", path: "/api/v1/cases/{caseId}/orders/{orderId}" },
  "reading.escalations": { method: "GET", path: "/api/v1/cases/{caseId}/escalations" },
  "reading.escalation": { method: "GET", path: "/api/v1/cases/{caseId}/escalations/{escalationId}" },
  "bundles.list": { method: "GET", path: "/api/v1/organization/bundles" },
  "bundles.get": { method: "GET", path: "/api/v1/organization/bundles/{bundleUUID}" },
  "products.list": { method: "GET", path: "/api/v1/products" },
  "webhookEndpoints.create": { method: "POST", path: "/api/v1/webhook-endpoints", isKeyed: true },
  "webhookEndpoints.list": { method: "GET", path: "/api/v1/webhook-endpoints" },
  "webhookEndpoints.get": { method: "GET", path: "/api/v1/webhook-endpoints/{endpointId}" },
  "webhookEndpoints.change": { method: "PATCH", path: "/api/v1/webhook-endpoints/{endpointId}" },
  "webhookEndpoints.remove": { method: "DELETE", path: "/api/v1/webhook-endpoints/{endpointId}" },
  "webhookEndpoints.rotateSecret": { method: "POST", path: "/api/v1/webhook-endpoints/{endpointId}/rotate-secret", isKeyed: true },
  "webhookEndpoints.test": { method: "POST", path: "/api/v1/webhook-endpoints/{endpointId}/test", isKeyed: true },
  "webhookDeliveries.list": { method: "GET", path: "/api/v1/webhook-endpoints/{endpointId}/deliveries" },
  "webhookDeliveries.replay": { method: "POST", path: "/api/v1/webhook-deliveries/{deliveryId}/replay", isKeyed: true },
  "webhookDeliveries.replayRange": { method: "POST", path: "/api/v1/webhook-endpoints/{endpointId}/replay", isKeyed: true },
  "webhookDeliveries.replayMissing": { method: "POST", path: "/api/v1/webhook-endpoints/{endpointId}/replay-missing", isKeyed: true },
  "webhookDeliveries.resend": { method: "POST", path: "/api/v1/events/{eventId}/resend", isKeyed: true },
  "events.list": { method: "GET", path: "/api/v1/events" },
  "simulations.possible": { method: "GET", path: "/api/v1/test/cases/{caseId}/simulate" },
  "simulations.simulate": { method: "POST", path: "/api/v1/test/cases/{caseId}/simulate", isKeyed: true },
  "newPayments.create": { method: "POST", path: "/api/v1/cases/{caseId}/payments", isKeyed: true },
  "paymentReading.list": { method: "GET", path: "/api/v1/cases/{caseId}/payments" },
  "paymentReading.get": { method: "GET", path: "/api/v1/cases/{caseId}/payments/{paymentId}" },
  "intents.createPaymentIntent": { method: "POST", path: "/api/v1/payments/intent", isKeyed: true },
  "intents.createSetupIntent": { method: "POST", path: "/api/v1/payments/setup", isKeyed: true },
  "paymentSetup.completeSetup": { method: "POST", path: "/api/v1/complete-payment-setup", isKeyed: true },
  "paymentConfirmations.confirmPayment": { method: "POST", path: "/api/v1/customer-payment-confirmation", isKeyed: true },
  "promoCodes.check": { method: "GET", path: "/api/v1/promo-codes" },
  "bookings.book": { method: "POST", path: "/api/v1/calendar/appointments", isKeyed: true },
  "appointmentList.list": { method: "GET", path: "/api/v1/calendar/appointments" },
  "bookings.cancel": { method: "POST", path: "/api/v1/calendar/appointments/cancel", isKeyed: true },
  "availability.slots": { method: "GET", path: "/api/v1/calendar/provider-availability" },
  "auditRecords.list": { method: "GET", path: "/api/v1/audit-records" },
  "caseActions.CHANGE_CASE_STATUS": { method: "POST", path: "/api/v1/cases/{caseId}", isKeyed: true, action: "CHANGE_CASE_STATUS" },
  "caseActions.PLACE_ORDER": { method: "POST", path: "/api/v1/cases/{caseId}", isKeyed: true, action: "PLACE_ORDER" },
  "caseActions.ADD_ESCALATION": { method: "POST", path: "/api/v1/cases/{caseId}", isKeyed: true, action: "ADD_ESCALATION" },
  "caseActions.UPDATE_CASE_PRODUCT": { method: "POST", path: "/api/v1/cases/{caseId}", isKeyed: true, action: "UPDATE_CASE_PRODUCT" },
  "caseActions.CREATE_CALENDAR_EVENT": { method: "POST", path: "/api/v1/cases/{caseId}", isKeyed: true, action: "CREATE_CALENDAR_EVENT" },
  "caseActions.CANCEL_CALENDAR_EVENT": { method: "POST", path: "/api/v1/cases/{caseId}", isKeyed: true, action: "CANCEL_CALENDAR_EVENT" },
  "userActions.UPDATE_PROFILE": { method: "POST", path: "/api/v1/users", isKeyed: true, action: "UPDATE_PROFILE" },
  "userActions.UPDATE_EMAIL": { method: "POST", path: "/api/v1/users", isKeyed: true, action: "UPDATE_EMAIL" },
  "userActions.UPDATE_PAYMENT_INFO": { method: "POST", path: "/api/v1/users", isKeyed: true, action: "UPDATE_PAYMENT_INFO" }
}
