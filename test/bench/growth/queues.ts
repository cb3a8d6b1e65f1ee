/** The queues of every service whose jobs come from operations and run at once. */
export const queues: ReadonlyArray<string> = [
  "auth case-notice",
  "auth code-sending",
  "auth email-change-notice",
  "auth sign-in-reset-notice",
  "auth staff-code-request",
  "cases assignment",
  "cases assignment-sweep",
  "cases document-download",
  "cases order-hand-over",
  "cases patient-completion",
  "cases payment-recording",
  "cases provider-departure",
  "cases webhook-replay",
  "payments payment-event",
  "payments payment-replication",
  "scheduling calendar-replication"
]

/** The queues whose jobs wait first, so that their start depends on the polling. */
export const delayedQueues: ReadonlyArray<string> = [
  "auth organization-replication",
  "auth person-replication",
  "auth patient-erasure",
  "cases case-replication",
  "cases patient-erasure-decided",
  "payments payment-operation",
  "payments preparation-check",
  "scheduling appointment-reminder"
]

/** The queues that only have jobs after lost or incomplete responses, for dead endpoints, or for sandboxes, which do not occur here. */
export const rareQueues: ReadonlyArray<string> = [
  "auth catalogue-copy",
  "auth clock-advance",
  "auth sandbox-reset",
  "auth webhook-endpoint-notice",
  "cases webhook-endpoint-notice",
  "payments customer-deletion",
  "payments simulated-hold-expiry",
  "scheduling booking",
  "scheduling cancellation",
  "scheduling meeting-link"
]

/** The scheduled work of every service. */
export const scheduledQueues: ReadonlyArray<readonly [service: string, queue: string]> = [
  ["auth", "cleanup"],
  ["cases", "cleanup"],
  ["cases", "event-months"],
  ["payments", "cleanup"],
  ["scheduling", "cleanup"]
]
