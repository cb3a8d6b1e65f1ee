/** A service level objective: the part of the events of 30 days that has to be good. */
export interface Objective {
  readonly slo: string
  /** The name of the alerts when its error budget is used up too fast. */
  readonly alert: string
  readonly summary: string
  readonly target: number
  /** The rate of bad events and that of all events, as PromQL, over a window (`5m`). */
  readonly bad: (window: string) => string
  readonly all: (window: string) => string
}

const durations = "http_server_request_duration_seconds"
// A sandbox may choose that it is refused.
const answers = 'service="gateway",mode!="test",route!~"/health/.*|/metrics"'
const reads = 'service="gateway",mode!="test",method="GET",route=~"/api/.*",status!~"5.."'

const live = 'mode!="test"'

// The events of a histogram that took longer than a bound of its buckets, which Prometheus 3 writes `30.0`, and 2 as `30`.
const longerThan = (histogram: string, selectors: ReadonlyArray<string>, bound: string) => (window: string) => {
  const within = [...selectors, `le=~"${bound}|${bound}.0"`].join(",")
  return `sum(rate(${histogram}_count{${selectors.join(",")}}[${window}])) - sum(rate(${histogram}_bucket{${within}}[${window}]))`
}

const countOf = (histogram: string, selector: string) => (window: string) =>
  `sum(rate(${histogram}_count{${selector}}[${window}]))`

export const objectives: ReadonlyArray<Objective> = [
  {
    slo: "availability",
    alert: "RequestsFail",
    summary: "More requests are answered with 5xx than the objective of 99.95 % allows",
    target: 0.9995,
    bad: (window) => `(sum(rate(${durations}_count{${answers},status=~"5.."}[${window}])) or vector(0))`,
    all: countOf(durations, answers)
  },
  {
    slo: "reads",
    alert: "ReadsAreSlow",
    summary: "More than 1 % of reads take longer than 250 ms",
    target: 0.99,
    bad: longerThan(durations, [reads], "0.25"),
    all: countOf(durations, reads)
  },
  {
    slo: "webhooks",
    alert: "WebhooksAreLate",
    summary: "More than 1 % of webhooks have their first attempt after 30 seconds",
    target: 0.99,
    bad: longerThan("webhook_first_attempt_delay_seconds", [live], "30"),
    all: countOf("webhook_first_attempt_delay_seconds", live)
  },
  {
    slo: "jobs",
    alert: "JobsAreLate",
    summary: "More than 1 % of jobs start more than 60 seconds after they are due",
    target: 0.99,
    bad: longerThan("jobs_start_delay_seconds", [live], "60"),
    all: countOf("jobs_start_delay_seconds", live)
  }
]

/**
 * When the error budget is used up too fast, as in Google's SRE workbook: so many times faster than in 30 days, over a long window and
 * still over a short one.
 */
export const burnRates = [
  { severity: "page", factor: 14.4, long: "1h", short: "5m" },
  { severity: "page", factor: 6, long: "6h", short: "30m" },
  { severity: "ticket", factor: 3, long: "1d", short: "2h" },
  { severity: "ticket", factor: 1, long: "3d", short: "6h" }
] as const

export const windows = ["5m", "30m", "1h", "2h", "6h", "1d", "3d"]

/** The name of the recorded part of bad events over a window. */
export const ratioOver = (window: string) => `care:slo_errors:ratio_rate${window}`
