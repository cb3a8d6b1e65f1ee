/** Every queue of every service that operations lead jobs to, which are worked on at once. */
export const queues: ReadonlyArray<string> = [
  "auth case-notice",
  "auth code-sending",
  "auth email-change-notice",
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

/** Those whose jobs wait for some time first: when they are begun depends on when is looked for them. */
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

/** Those that have jobs to do only when an answer was lost or came incomplete, or an endpoint is dead, which does not happen here. */
export const rareQueues: ReadonlyArray<string> = [
  "auth webhook-endpoint-notice",
  "cases webhook-endpoint-notice",
  "payments customer-deletion",
  "scheduling booking",
  "scheduling cancellation",
  "scheduling meeting-link"
]

/** The scheduled work of every service. */
export const scheduledQueues: ReadonlyArray<readonly [service: string, queue: string]> = [
  ["auth", "cleanup"],
  ["cases", "cleanup"],
  ["payments", "cleanup"],
  ["scheduling", "cleanup"]
]
