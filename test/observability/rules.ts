import { stringify } from "yaml"
import { alerts } from "./alerts.ts"
import { burnRates, type Objective, objectives, ratioOver, windows } from "./objectives.ts"

const generated = "# `pnpm docs:observability` writes this file from test/observability.\n"

const yaml = (value: unknown): string =>
  `${generated}${stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })}`

const annotations = (alert: string, summary: string) => ({
  summary,
  runbook_url: `docs/runbook.md#${alert.toLowerCase()}`
})

const recordings = objectives.flatMap(({ all, bad, slo }) =>
  windows.map((window) => ({
    record: ratioOver(window),
    expr: `(${bad(window)}) / ${all(window)}`,
    labels: { slo }
  }))
)

const burnOf = ({ slo, target }: Objective, { factor, long, short }: (typeof burnRates)[number]): string => {
  const limit = Number((factor * (1 - target)).toFixed(6))
  return [long, short].map((window) => `${ratioOver(window)}{slo="${slo}"} > ${limit}`).join(" and ")
}

const burnAlerts = objectives.flatMap((objective) =>
  burnRates.map((rate) => ({
    alert: objective.alert,
    expr: burnOf(objective, rate),
    labels: { severity: rate.severity, window: rate.long },
    annotations: annotations(objective.alert, objective.summary)
  }))
)

const causeAlerts = alerts.map(({ alert, expr, for: duration, severity, summary }) => ({
  alert,
  expr,
  for: duration,
  labels: { severity },
  annotations: annotations(alert, summary)
}))

export const alertRules = [...burnAlerts, ...causeAlerts]

/** The rules for Prometheus: the recorded ratios of the objectives, their alerts, and the alerts about causes. */
export const rules = {
  groups: [
    { name: "care objectives", rules: recordings },
    { name: "care budgets", rules: burnAlerts },
    { name: "care causes", rules: causeAlerts }
  ]
}

export const rulesFile = yaml(rules)

const seriesOf = (series: Readonly<Record<string, string>>) =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }))

const causeTests = alerts.flatMap(({ alert, fires, labels, quiet, severity, summary }) =>
  [
    { name: `${alert} fires`, series: fires, expected: [{ ...labels, severity }] },
    { name: `${alert} does not fire`, series: quiet, expected: [] }
  ].map(({ expected, name, series }) => ({
    name,
    interval: "1m",
    input_series: seriesOf(series),
    alert_rule_test: [
      {
        eval_time: "4h",
        alertname: alert,
        exp_alerts: expected.map((exp_labels) => ({ exp_labels, exp_annotations: annotations(alert, summary) }))
      }
    ]
  }))
)

const requests = 'http_server_request_duration_seconds_count{service="gateway",method="GET",route="/api/v1/cases"'

/** The values of two series: how many of some 10,000 events in each two minutes were bad, and good. */
interface Counts {
  readonly bad: string
  readonly good: string
}

const eventsOf: Readonly<Record<string, (counts: Counts) => Readonly<Record<string, string>>>> = {
  availability: ({ bad }) => ({
    [`${requests},status="200"}`]: "0+9000x2500",
    [`${requests},status="503"}`]: bad,
    [`${requests},mode="test",status="503"}`]: "0+9000x2500",
    [`${requests.replace("/api/v1/cases", "/health/ready")},status="503"}`]: "0+9000x2500"
  }),
  reads: ({ good }) => ({
    [`${requests},status="200"}`]: "0+10000x2500",
    [`${requests.replace("_count", "_bucket")},status="200",le="0.25"}`]: good
  }),
  webhooks: ({ good }) => ({
    'webhook_first_attempt_delay_seconds_count{service="cases"}': "0+10000x2500",
    'webhook_first_attempt_delay_seconds_count{service="cases",mode="test"}': "0+10000x2500",
    'webhook_first_attempt_delay_seconds_bucket{service="cases",le="30"}': good
  }),
  jobs: ({ good }) => ({
    'jobs_start_delay_seconds_count{service="cases",queue="a"}': "0+10000x2500",
    'jobs_start_delay_seconds_count{service="cases",mode="test",queue="a"}': "0+10000x2500",
    'jobs_start_delay_seconds_bucket{service="cases",queue="a",le="60.0"}': good
  })
}

// From a step on, so many of 10,000 events are bad.
const countsOf = (rate: number, since: number): Counts => {
  const values = (before: number, after: number) =>
    `0+${before}x${since} ${before * since + after}+${after}x${2500 - since}`
  return { bad: values(0, rate), good: values(10_000, 10_000 - rate) }
}

const burnTests = objectives.flatMap((objective) => {
  const alertsOver = (long: ReadonlyArray<string>) =>
    burnRates
      .filter((rate) => long.includes(rate.long))
      .map((rate) => ({
        exp_labels: { severity: rate.severity, slo: objective.slo, window: rate.long },
        exp_annotations: annotations(objective.alert, objective.summary)
      }))
  // The error budget times a factor, of 10,000 events.
  const rateOf = (factor: number) => Math.round(factor * (1 - objective.target) * 10_000)
  return [
    { name: "pages after an hour at 20 times the rate", rate: rateOf(20), since: 2120, expected: ["1h"] },
    { name: "pages after six hours at 8 times the rate", rate: rateOf(8), since: 1975, expected: ["6h"] },
    { name: "makes a ticket after a day at 4 times the rate", rate: rateOf(4), since: 1430, expected: ["1d", "3d"] },
    { name: "makes a ticket after three days at twice the rate", rate: rateOf(2), since: 0, expected: ["3d"] },
    { name: "does not fire within the objective", rate: rateOf(0.8), since: 0, expected: [] },
    { name: "does not fire for a short burst", rate: rateOf(20), since: 2159, expected: [] }
  ].map(({ expected, name, rate, since }) => ({
    name: `${objective.alert} ${name}`,
    interval: "2m",
    input_series: seriesOf(eventsOf[objective.slo]?.(countsOf(rate, since)) ?? {}),
    alert_rule_test: [{ eval_time: "3d", alertname: objective.alert, exp_alerts: alertsOver(expected) }]
  }))
})

const testFile = (evaluationInterval: string, tests: ReadonlyArray<unknown>) =>
  yaml({
    rule_files: ["rules.yml"],
    evaluation_interval: evaluationInterval,
    group_eval_order: rules.groups.map(({ name }) => name),
    tests
  })

/** The tests of the alerts about causes, for `promtool test rules`. */
export const causesTestFile = testFile("10m", causeTests)

/** The tests of the alerts about objectives, which evaluate three days. */
export const objectivesTestFile = testFile("6h", burnTests)
