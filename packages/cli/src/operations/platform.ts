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
    columns: "id eventId eventType caseId status attempts createdAt nextAttemptAt waitsFor=waitsFor.reason"
  },
  {
    id: "adminWebhooks.create",
    command: "webhook add",
    note: () => "This is the only time the secret is shown. It verifies the signatures of events."
  },
  {
    id: "adminWebhooks.change",
    command: "webhook change",
    example: "3b241101-e2bb-4255-8caf-4136c566a962 --enabled true"
  },
  {
    id: "adminWebhooks.remove",
    command: "webhook remove",
    confirmation: [
      "The endpoint goes with all its deliveries, including those that were not sent yet. Delete it?",
      "The endpoint was not deleted"
    ],
    done: "Deleted."
  },
  {
    id: "adminWebhooks.rotateSecret",
    command: "webhook rotate-secret",
    note: () => "For 24 hours events are signed with the previous secret, too."
  },
  { id: "adminWebhooks.test", command: "webhook test" },
  { id: "adminWebhooks.replayMissing", command: "webhook replay-missing", done: "Queued. The events arrive in order." },
  {
    id: "adminRequestLogs.list",
    command: "org requests",
    arguments: ["organizationId"],
    example: "3b241101-e2bb-4255-8caf-4136c566a962 --status 4xx",
    columns: "at method path status durationMs errorCode requestId"
  },
  {
    id: "adminRequestLogs.days",
    command: "org request-days",
    arguments: ["organizationId"],
    example: "3b241101-e2bb-4255-8caf-4136c566a962",
    columns: "begunAt requests refused failed isComplete"
  },
  { id: "adminWebhooks.delivery", command: "webhook delivery", isJson: true },
  { id: "adminWebhooks.replay", command: "webhook replay" },
  {
    id: "troubles.list",
    command: "troubles",
    columns: "organizationId total deliveriesFailed endpointsFailing ordersInError escalationsOpen casesWaiting"
  },
  {
    id: "incidents.open",
    command: "incident open",
    arguments: ["title", "impact", "text"],
    example: '"Orders are late" DEGRADED "The pharmacy answers slowly. Orders wait and are sent later."'
  },
  { id: "incidents.update", command: "incident update", only: ["text", "impact"] },
  {
    id: "incidents.update",
    command: "incident resolve",
    says: "Resolve an incident",
    only: ["text"],
    fixed: { isResolved: true }
  },
  { id: "incidents.list", command: "incident list", columns: "id title impact createdAt resolvedAt" },
  { id: "serviceHealth.list", command: "health", columns: "cell service isReady checkedAt" },
  {
    id: "jobs.list",
    command: "job list",
    example: "--state failed",
    columns: "id service queue state attempts createdAt lastFailure"
  },
  { id: "jobs.retry", command: "job retry" }
]
