import type { Operation } from "./Operation.ts"

/** Webhooks, jobs and the audit. */
export const platform: ReadonlyArray<Operation> = [
  {
    id: "adminWebhooks.endpoints",
    command: "webhook endpoints",
    columns: "id url enabled eventTypes disabledReason failingSince createdAt"
  },
  {
    id: "adminWebhooks.deliveries",
    command: "webhook deliveries",
    columns: "id eventId eventType caseId status attempts createdAt nextAttemptAt"
  },
  { id: "adminWebhooks.delivery", command: "webhook delivery", isJson: true },
  { id: "adminWebhooks.replay", command: "webhook replay" },
  {
    id: "troubles.list",
    command: "troubles",
    columns: "organizationId total deliveriesFailed endpointsFailing ordersInError escalationsOpen casesWaiting"
  },
  { id: "serviceHealth.list", command: "health", columns: "cell service isReady checkedAt" },
  {
    id: "jobs.list",
    command: "job list",
    example: "--state failed",
    columns: "id service queue state attempts createdAt lastFailure"
  },
  { id: "jobs.retry", command: "job retry" }
]
