/** Series of a test (https://prometheus.io/docs/prometheus/latest/configuration/unit_testing_rules/), with a value each minute. */
type Series = Readonly<Record<string, string>>

/** An alert about a cause, for which an operator has to do something. */
export interface Alert {
  readonly alert: string
  readonly severity: "page" | "ticket"
  readonly expr: string
  readonly for: string
  readonly summary: string
  /** Series with which it fires after four hours, and the labels that it then has besides its severity. */
  readonly fires: Series
  readonly labels: Readonly<Record<string, string>>
  /** Similar series with which it does not fire. */
  readonly quiet: Series
}

// Whether a counter grew. One that is new has no value before, so its first increase is not seen by `increase`.
const grew = (counter: string, window: string) =>
  `increase(${counter}[${window}]) > 0 or (${counter} unless ${counter} offset ${window}) > 0`

const payments = { service: "payments", instance: "a" }
const ofPayments = 'service="payments",instance="a"'

const always = (value: number) => `${value}x300`

/** The alerts about causes. Their windows are longer than two scrapes, so that a failed scrape neither fires nor ends one. */
export const alerts: ReadonlyArray<Alert> = [
  {
    alert: "ProcessDown",
    severity: "page",
    expr: 'up{job="care"} == 0',
    for: "2m",
    summary: "A process does not answer",
    fires: { 'up{job="care",service="cases",instance="a"}': "1x200 0x100" },
    labels: { job: "care", service: "cases", instance: "a" },
    quiet: { 'up{job="care",service="cases",instance="a"}': "1x230 0x0 1x70", 'up{job="other"}': always(0) }
  },
  {
    alert: "DatabaseAway",
    severity: "page",
    expr: 'up{job="care",service!="gateway"} == 1 unless on (job, instance) audit_unlinked',
    for: "3m",
    summary: "A service cannot read its database",
    fires: { 'up{job="care",service="cases",instance="a"}': always(1) },
    labels: { job: "care", service: "cases", instance: "a" },
    quiet: {
      'up{job="care",service="cases",instance="a"}': always(1),
      'audit_unlinked{job="care",service="cases",instance="a"}': always(0),
      'up{job="care",service="gateway",instance="b"}': always(1)
    }
  },
  {
    alert: "DatabaseConnectionsExhausted",
    severity: "ticket",
    expr: "sum by (service, instance, lane) (rate(database_connection_wait_seconds_total[5m])) > 4",
    for: "5m",
    summary: "More than four statements wait for a connection at any time",
    fires: { [`database_connection_wait_seconds_total{${ofPayments},lane="requests"}`]: "0+300x300" },
    labels: { ...payments, lane: "requests" },
    quiet: { [`database_connection_wait_seconds_total{${ofPayments},lane="requests"}`]: "0+200x300" }
  },
  {
    alert: "StandbyNotRead",
    severity: "ticket",
    expr: 'sum by (service, instance, outcome) (rate(standby_reads_total{outcome!="standby"}[10m])) > 0',
    for: "30m",
    summary: "Slow reads load the primary, because the standby is behind or away",
    fires: { [`standby_reads_total{${ofPayments},outcome="behind"}`]: "0+1x300" },
    labels: { ...payments, outcome: "behind" },
    quiet: {
      [`standby_reads_total{${ofPayments},outcome="behind"}`]: "0+1x200 200x100",
      [`standby_reads_total{${ofPayments},outcome="standby"}`]: "0+1x300"
    }
  },
  {
    alert: "JobsDeadLettered",
    severity: "ticket",
    expr: 'max by (service, queue) (jobs{mode!="test",state="failed"}) > 0',
    for: "1m",
    summary: "Jobs were given up and wait for an operator",
    fires: { 'jobs{service="cases",queue="orders",state="failed"}': always(1) },
    labels: { service: "cases", queue: "orders" },
    quiet: {
      'jobs{service="cases",queue="orders",state="failed"}': always(0),
      'jobs{service="cases",mode="test",queue="orders",state="failed"}': always(1),
      'jobs{service="cases",queue="orders",state="pending"}': always(9)
    }
  },
  {
    alert: "JobsAreStuck",
    severity: "page",
    expr: 'max by (service, queue) (jobs_overdue_seconds{mode!="test"}) > 300',
    for: "5m",
    summary: "A job has been due for more than five minutes and does not start",
    fires: { 'jobs_overdue_seconds{service="cases",queue="orders"}': "0+60x300" },
    labels: { service: "cases", queue: "orders" },
    quiet: {
      'jobs_overdue_seconds{service="cases",queue="orders"}': "200x237 400x60",
      'jobs_overdue_seconds{service="cases",mode="test",queue="orders"}': "0+60x300"
    }
  },
  {
    alert: "EventsAreNotRelayed",
    severity: "page",
    expr: "max(webhook_events_oldest_unrelayed_age_seconds) > 60",
    for: "5m",
    summary: "Events get no deliveries to webhook endpoints",
    fires: { 'webhook_events_oldest_unrelayed_age_seconds{service="cases",instance="a"}': "0+60x300" },
    labels: {},
    quiet: { 'webhook_events_oldest_unrelayed_age_seconds{service="cases",instance="a"}': always(50) }
  },
  {
    alert: "WebhookEndpointsFail",
    severity: "ticket",
    expr: 'max(webhook_endpoints{health="FAILING"}) > 0',
    for: "30m",
    summary: "Endpoints of partners have failed for half an hour",
    fires: { 'webhook_endpoints{service="cases",instance="a",health="FAILING"}': always(2) },
    labels: {},
    quiet: { 'webhook_endpoints{service="cases",instance="a",health="FAILING"}': "0x220 2x80" }
  },
  {
    alert: "WebhookEndpointDisabled",
    severity: "ticket",
    expr: 'max(webhook_endpoints{health="DISABLED"}) > max(webhook_endpoints{health="DISABLED"} offset 1h)',
    for: "1m",
    summary: "An endpoint of a partner was disabled in the last hour",
    fires: { 'webhook_endpoints{service="cases",instance="a",health="DISABLED"}': "3x200 4x100" },
    labels: {},
    quiet: { 'webhook_endpoints{service="cases",instance="a",health="DISABLED"}': always(3) }
  },
  {
    alert: "AuditOutboxNotWritten",
    severity: "page",
    expr: "audit_outbox_bytes > 1048576",
    for: "5m",
    summary: "Records of reads are not stored in the database; reads are refused at 64 MiB",
    fires: { [`audit_outbox_bytes{${ofPayments}}`]: "0+100000x300" },
    labels: payments,
    quiet: { [`audit_outbox_bytes{${ofPayments}}`]: always(500_000) }
  },
  {
    alert: "AuditReadsRefused",
    severity: "page",
    expr: grew("audit_reads_refused_total", "10m"),
    for: "0m",
    summary: "Reads are refused because they cannot be recorded",
    fires: { [`audit_reads_refused_total{${ofPayments}}`]: "_x234 1x66" },
    labels: payments,
    quiet: { [`audit_reads_refused_total{${ofPayments}}`]: "_x200 1x100" }
  },
  {
    alert: "AuditNotLinked",
    severity: "ticket",
    expr: "max by (service) (min_over_time(audit_unlinked[30m])) > 1000",
    for: "5m",
    summary: "Audit records are not linked into their chains",
    fires: { [`audit_unlinked{${ofPayments}}`]: "0+100x300" },
    labels: { service: "payments" },
    quiet: { [`audit_unlinked{${ofPayments}}`]: "5000x230 0x0 5000x70" }
  },
  {
    alert: "AuditMonthMissing",
    severity: "ticket",
    expr: "min by (service) (audit_months_ahead) < 2",
    for: "1h",
    summary: "A coming month has no partition in the audit's tables",
    fires: { [`audit_months_ahead{${ofPayments}}`]: always(1) },
    labels: { service: "payments" },
    quiet: { [`audit_months_ahead{${ofPayments}}`]: always(2) }
  },
  {
    alert: "DefaultPartitionUsed",
    severity: "ticket",
    expr: "max by (service, table) (default_partition_rows) > 0",
    for: "5m",
    summary: "A month began without a partition",
    fires: { 'default_partition_rows{service="cases",instance="a",table="events"}': always(1) },
    labels: { service: "cases", table: "events" },
    quiet: { 'default_partition_rows{service="cases",instance="a",table="events"}': always(0) }
  },
  {
    alert: "PaymentsDiffer",
    severity: "page",
    expr: "max(payments_differing) > 0",
    for: "5m",
    summary: "Payments have another amount or currency at Stripe",
    fires: { [`payments_differing{${ofPayments}}`]: always(1) },
    labels: {},
    quiet: { [`payments_differing{${ofPayments}}`]: always(0) }
  },
  {
    alert: "PaymentsUnknown",
    severity: "ticket",
    expr: "max(payments_unknown) > 0",
    for: "5m",
    summary: "The outcome of operations at Stripe has been unknown for more than ten minutes",
    fires: { [`payments_unknown{${ofPayments}}`]: always(1) },
    labels: {},
    quiet: { [`payments_unknown{${ofPayments}}`]: "0x237 1x60" }
  },
  {
    alert: "PaymentsUnclaimed",
    severity: "ticket",
    expr: "max(payments_unclaimed) > 0",
    for: "5m",
    summary: "Stripe has money that belongs to no case",
    fires: { [`payments_unclaimed{${ofPayments}}`]: always(1) },
    labels: {},
    quiet: { [`payments_unclaimed{${ofPayments}}`]: always(0) }
  },
  {
    alert: "ReconciliationFails",
    severity: "ticket",
    expr: grew("reconciliation_failures_total", "2h"),
    for: "0m",
    summary: "A list cannot be compared with that of its provider",
    fires: { [`reconciliation_failures_total{${ofPayments},source="events"}`]: "_x200 1x100" },
    labels: { ...payments, source: "events" },
    quiet: { [`reconciliation_failures_total{${ofPayments},source="events"}`]: "1x300" }
  },
  {
    alert: "ReconciliationDiffers",
    severity: "ticket",
    expr: grew('reconciliation_differences_total{action="REPORTED",source!~".+-test"}', "2h"),
    for: "0m",
    summary: "Reconciliation found a difference that it does not repair",
    fires: { [`reconciliation_differences_total{${ofPayments},source="events",action="REPORTED"}`]: "_x200 1x100" },
    labels: { ...payments, source: "events", action: "REPORTED" },
    quiet: {
      [`reconciliation_differences_total{${ofPayments},source="events",action="REPAIRED"}`]: "_x200 1x100",
      [`reconciliation_differences_total{${ofPayments},source="events-test",action="REPORTED"}`]: "_x200 1x100"
    }
  },
  {
    alert: "StripeAway",
    severity: "page",
    expr: 'sum(rate(stripe_calls_total{mode!="test",outcome=~"failed|unavailable"}[10m])) / sum(rate(stripe_calls_total{mode!="test"}[10m])) > 0.5',
    for: "5m",
    summary: "More than half of the calls of Stripe get no usable answer",
    fires: {
      [`stripe_calls_total{${ofPayments},outcome="unavailable"}`]: "0+10x300",
      [`stripe_calls_total{${ofPayments},outcome="answered"}`]: "0+1x300"
    },
    labels: {},
    quiet: {
      [`stripe_calls_total{${ofPayments},outcome="unavailable"}`]: "0+1x300",
      [`stripe_calls_total{${ofPayments},mode="test",outcome="unavailable"}`]: "0+100x300",
      [`stripe_calls_total{${ofPayments},outcome="answered"}`]: "0+10x300"
    }
  },
  {
    alert: "StripeKeyRefused",
    severity: "page",
    expr: grew('stripe_calls_total{mode!="test",outcome="key_refused"}', "10m"),
    for: "0m",
    summary: "Stripe refuses the secret key",
    fires: { [`stripe_calls_total{${ofPayments},outcome="key_refused"}`]: "_x234 1x66" },
    labels: { ...payments, outcome: "key_refused" },
    quiet: { [`stripe_calls_total{${ofPayments},outcome="refused"}`]: "_x234 1+1x66" }
  },
  {
    alert: "ClockSkew",
    severity: "page",
    expr: grew("clock_skew_total", "10m"),
    for: "0m",
    summary: "The clocks of two processes differ by more than 30 seconds",
    fires: { [`clock_skew_total{${ofPayments}}`]: "3x234 4x66" },
    labels: payments,
    quiet: { [`clock_skew_total{${ofPayments}}`]: always(3) }
  },
  {
    alert: "RedisAway",
    severity: "ticket",
    expr: grew("rate_limits_counted_alone_total", "10m"),
    for: "5m",
    summary: "A gateway counts rate limits alone, because Redis does not answer",
    fires: { 'rate_limits_counted_alone_total{service="gateway",instance="a"}': "_x230 1+9x70" },
    labels: { service: "gateway", instance: "a" },
    quiet: { 'rate_limits_counted_alone_total{service="gateway",instance="a"}': always(9) }
  },
  {
    alert: "CodeCapsReached",
    severity: "ticket",
    expr: 'sum by (cap) (increase(one_time_code_caps_reached_total{mode!="test"}[1h])) > 20',
    for: "0m",
    summary: "Many patients reach a cap on one-time codes",
    fires: { 'one_time_code_caps_reached_total{service="auth",instance="a",cap="codes_per_hour"}': "0+1x300" },
    labels: { cap: "codes_per_hour" },
    quiet: {
      'one_time_code_caps_reached_total{service="auth",instance="a",cap="codes_per_hour"}': "0x200 9x100",
      'one_time_code_caps_reached_total{service="auth",instance="a",cap="codes_per_hour",mode="test"}': "0+1x300"
    }
  },
  {
    alert: "NoticesLeftOut",
    severity: "ticket",
    expr: 'sum by (kind) (increase(notices_left_out_total{mode!="test"}[1h])) > 20',
    for: "0m",
    summary: "Many notices are not sent, because their receiver has reached a limit",
    fires: { 'notices_left_out_total{service="auth",instance="a",kind="CASE_CREATED"}': "0+1x300" },
    labels: { kind: "CASE_CREATED" },
    quiet: {
      'notices_left_out_total{service="auth",instance="a",kind="CASE_CREATED"}': "0x200 9x100",
      'notices_left_out_total{service="auth",instance="a",kind="CASE_CREATED",mode="test"}': "0+1x300"
    }
  }
]
