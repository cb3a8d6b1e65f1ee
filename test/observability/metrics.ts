import type { ProcessName } from "@care/sandbox"

/** The rows of panels of the dashboard of processes, in their order. */
export const subjects = ["Requests", "Jobs", "Deliveries", "Payments", "Audit", "Database", "Limits"] as const

/** A metric that the code declares. `meaning` is its description there, one sentence. */
export interface MetricRow {
  readonly name: string
  readonly kind: "counter" | "gauge" | "histogram"
  readonly labels: ReadonlyArray<string>
  readonly processes: ReadonlyArray<ProcessName>
  readonly subject: (typeof subjects)[number]
  readonly meaning: string
}

const services: ReadonlyArray<ProcessName> = ["auth", "cases", "payments", "scheduling"]

/** All metrics. docs/operations.md, the rules and the dashboards are made of this table, and a test compares it with the code. */
export const metrics: ReadonlyArray<MetricRow> = [
  {
    name: "http_server_request_duration_seconds",
    kind: "histogram",
    labels: ["method", "mode", "route", "status"],
    processes: ["gateway", ...services],
    subject: "Requests",
    meaning: "Time from the arrival of a request to its answer"
  },
  {
    name: "jobs",
    kind: "gauge",
    labels: ["mode", "queue", "state"],
    processes: services,
    subject: "Jobs",
    meaning: "Jobs that are not done, by mode, queue and state, at most 100,000"
  },
  {
    name: "jobs_overdue_seconds",
    kind: "gauge",
    labels: ["mode", "queue"],
    processes: services,
    subject: "Jobs",
    meaning: "For how long the pending job that was due first has been due"
  },
  {
    name: "jobs_start_delay_seconds",
    kind: "histogram",
    labels: ["mode", "queue"],
    processes: services,
    subject: "Jobs",
    meaning: "Time from when an attempt at a job is due to its start"
  },
  {
    name: "jobs_dead_lettered_total",
    kind: "counter",
    labels: ["queue", "reason"],
    processes: services,
    subject: "Jobs",
    meaning: "Jobs that are not tried again until an operator repeats them"
  },
  {
    name: "jobs_cancelled_total",
    kind: "counter",
    labels: ["queue"],
    processes: services,
    subject: "Jobs",
    meaning: "Jobs that were cancelled because their subject had ended"
  },
  {
    name: "webhook_first_attempt_delay_seconds",
    kind: "histogram",
    labels: ["mode"],
    processes: ["cases"],
    subject: "Deliveries",
    meaning: "Time from when a delivery to an endpoint that does not fail can be sent to its first attempt"
  },
  {
    name: "webhook_events_oldest_unrelayed_age_seconds",
    kind: "gauge",
    labels: [],
    processes: ["cases"],
    subject: "Deliveries",
    meaning: "How old the oldest event is of those whose deliveries are not stored yet"
  },
  {
    name: "webhook_deliveries_waiting",
    kind: "gauge",
    labels: [],
    processes: ["cases"],
    subject: "Deliveries",
    meaning: "Deliveries of events to endpoints that are going to be attempted; more than 100,000 are not counted"
  },
  {
    name: "webhook_deliveries_oldest_waiting_age_seconds",
    kind: "gauge",
    labels: [],
    processes: ["cases"],
    subject: "Deliveries",
    meaning: "How old the oldest event is of those that are going to be attempted"
  },
  {
    name: "webhook_deliveries_held",
    kind: "gauge",
    labels: [],
    processes: ["cases"],
    subject: "Deliveries",
    meaning:
      "Deliveries that wait until their endpoint, or its organization, is enabled again; more than 100,000 are not counted"
  },
  {
    name: "webhook_endpoints",
    kind: "gauge",
    labels: ["health"],
    processes: ["cases"],
    subject: "Deliveries",
    meaning: "Endpoints of live organizations that fail (FAILING), and those that were disabled (DISABLED)"
  },
  {
    name: "stripe_calls_total",
    kind: "counter",
    labels: ["mode", "outcome"],
    processes: ["payments"],
    subject: "Payments",
    meaning: "Calls of Stripe by outcome: answered, refused, failed (5xx), unavailable (no usable answer), key_refused"
  },
  {
    name: "payments_differing",
    kind: "gauge",
    labels: [],
    processes: ["payments"],
    subject: "Payments",
    meaning: "Payments of live organizations whose amount or currency is not that of the gateway"
  },
  {
    name: "payments_unknown",
    kind: "gauge",
    labels: [],
    processes: ["payments"],
    subject: "Payments",
    meaning:
      "Payments of live organizations of which nobody knows for more than 10 minutes what became of an operation at the gateway"
  },
  {
    name: "payments_unclaimed",
    kind: "gauge",
    labels: [],
    processes: ["payments"],
    subject: "Payments",
    meaning:
      "Intents of no sandbox that hold or took money for more than an hour, and pay nothing here; more than 10,000 are not counted"
  },
  {
    name: "reconciliation_differences_total",
    kind: "counter",
    labels: ["action", "source"],
    processes: ["cases", "payments", "scheduling"],
    subject: "Payments",
    meaning: "What was not the same here and at a provider, by source, and whether it was repaired or only reported"
  },
  {
    name: "reconciliation_failures_total",
    kind: "counter",
    labels: ["source"],
    processes: ["cases", "payments", "scheduling"],
    subject: "Payments",
    meaning: "Pages of a source that could not be compared with the provider"
  },
  {
    name: "audit_months_ahead",
    kind: "gauge",
    labels: [],
    processes: services,
    subject: "Audit",
    meaning: "Months after the present one that the audit's tables have partitions for"
  },
  {
    name: "audit_outbox_bytes",
    kind: "gauge",
    labels: [],
    processes: services,
    subject: "Audit",
    meaning: "Audit records of reads of this process that are not in the database yet"
  },
  {
    name: "audit_reads_refused_total",
    kind: "counter",
    labels: [],
    processes: services,
    subject: "Audit",
    meaning: "Reads that were refused because they could not be recorded"
  },
  {
    name: "audit_unlinked",
    kind: "gauge",
    labels: [],
    processes: services,
    subject: "Audit",
    meaning: "Audit records that are in no chain yet; more than 100,000 are not counted"
  },
  {
    name: "default_partition_rows",
    kind: "gauge",
    labels: ["table"],
    processes: services,
    subject: "Database",
    meaning: "Rows of months that had no partition; more than 1,000 of a table are not counted"
  },
  {
    name: "database_connection_wait_seconds_total",
    kind: "counter",
    labels: ["lane"],
    processes: services,
    subject: "Database",
    meaning: "Time that statements and transactions waited for a connection of this process, by lane"
  },
  {
    name: "standby_reads_total",
    kind: "counter",
    labels: ["outcome"],
    processes: services,
    subject: "Database",
    meaning:
      "Slow reads that may come from the standby, by where they came from: the standby, or the primary because the standby was behind or away"
  },
  {
    name: "clock_skew_total",
    kind: "counter",
    labels: [],
    processes: services,
    subject: "Limits",
    meaning:
      "Internal calls whose identity token was made more than 30 seconds ago, or is of the future, by the clock here"
  },
  {
    name: "request_logs_dropped_total",
    kind: "counter",
    labels: [],
    processes: ["gateway"],
    subject: "Limits",
    meaning: "Requests that are missing in the request log, because too many came or auth did not store them"
  },
  {
    name: "rate_limits_counted_alone_total",
    kind: "counter",
    labels: [],
    processes: ["gateway"],
    subject: "Limits",
    meaning: "Requests that this gateway counted by itself, because Redis did not"
  },
  {
    name: "one_time_code_caps_reached_total",
    kind: "counter",
    labels: ["cap", "mode"],
    processes: ["auth"],
    subject: "Limits",
    meaning: "How often a patient of an organization reached a cap on one-time codes, by cap"
  },
  {
    name: "notices_left_out_total",
    kind: "counter",
    labels: ["kind", "mode"],
    processes: ["auth"],
    subject: "Limits",
    meaning: "Notices that were not sent, because their receiver had reached the limit of their kind for a day"
  }
]
