/** Every queue of every service that operations lead jobs to. */
export const queues: ReadonlyArray<string> = [
  "auth code-sending",
  "auth email-change-notice",
  "auth provider-announcement",
  "cases assignment",
  "cases document-download",
  "cases patient-completion",
  "cases payment-recording"
]

/** The scheduled work of every service. */
export const scheduledQueues: ReadonlyArray<readonly [service: string, queue: string]> = [
  ["auth", "cleanup"],
  ["cases", "cleanup"],
  ["payments", "cleanup"],
  ["scheduling", "cleanup"]
]
