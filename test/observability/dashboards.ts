import { type MetricRow, metrics, subjects } from "./metrics.ts"
import { objectives, ratioOver } from "./objectives.ts"

interface Query {
  readonly expr: string
  readonly legendFormat: string
}

interface Panel {
  readonly title: string
  readonly description: string
  readonly unit: string
  readonly queries: ReadonlyArray<Query>
}

const datasource = { type: "prometheus", uid: "prometheus" }
const interval = "$__rate_interval"
const ofServices = 'service=~"$service"'

const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? "s" : name.endsWith("_bytes") ? "bytes" : "short"

const durations = "http_server_request_duration_seconds"

// Too many routes for one line each.
const requestPanels: ReadonlyArray<Panel> = [
  {
    title: "Requests",
    description: "Requests per second",
    unit: "reqps",
    queries: [
      { expr: `sum by (service) (rate(${durations}_count{${ofServices}}[${interval}]))`, legendFormat: "{{service}}" }
    ]
  },
  {
    title: "Errors",
    description: "The part of requests that are answered with 5xx",
    unit: "percentunit",
    queries: [
      {
        expr: `sum by (service) (rate(${durations}_count{${ofServices},status=~"5.."}[${interval}])) / sum by (service) (rate(${durations}_count{${ofServices}}[${interval}]))`,
        legendFormat: "{{service}}"
      }
    ]
  },
  {
    title: "Durations",
    description: "Half of the requests, and all but 1 %, are answered within this time",
    unit: "s",
    queries: [0.5, 0.99].map((quantile) => ({
      expr: `histogram_quantile(${quantile}, sum by (service, le) (rate(${durations}_bucket{${ofServices}}[${interval}])))`,
      legendFormat: `{{service}} p${quantile * 100}`
    }))
  }
]

const panelOf = ({ kind, labels, meaning, name }: MetricRow): Panel => {
  const by = ["service", ...labels].join(", ")
  const legendFormat = ["service", ...labels].map((label) => `{{${label}}}`).join(" ")
  switch (kind) {
    // Every instance of a service measures the same rows of the database, except for its own outbox.
    case "gauge":
      return {
        title: name,
        description: meaning,
        unit: unitOf(name),
        queries: [{ expr: `max by (${by}) (${name}{${ofServices}})`, legendFormat }]
      }
    case "counter":
      return {
        title: `${name} per second`,
        description: meaning,
        unit: "short",
        queries: [{ expr: `sum by (${by}) (rate(${name}{${ofServices}}[${interval}]))`, legendFormat }]
      }
    case "histogram":
      return {
        title: `${name}, p99`,
        description: meaning,
        unit: unitOf(name),
        queries: [
          {
            expr: `histogram_quantile(0.99, sum by (${by}, le) (rate(${name}_bucket{${ofServices}}[${interval}])))`,
            legendFormat
          }
        ]
      }
  }
}

const objectivePanels: ReadonlyArray<Panel> = objectives.map(({ slo, summary, target }) => ({
  title: `${slo}: error budget used per 30 days`,
  description: `${summary}, when this is above 1`,
  unit: "short",
  queries: ["1h", "3d"].map((window) => ({
    expr: `${ratioOver(window)}{slo="${slo}"} / ${Number((1 - target).toFixed(6))}`,
    legendFormat: window
  }))
}))

const columns = 3
const width = 24 / columns
const height = 8

const rowsOf = (titled: ReadonlyArray<readonly [title: string, panels: ReadonlyArray<Panel>]>) => {
  let y = 0
  return titled.flatMap(([title, panels]) => {
    const top = y + 1
    const row = { type: "row", title, collapsed: false, panels: [], gridPos: { x: 0, y, w: 24, h: 1 } }
    y = top + Math.ceil(panels.length / columns) * height
    const placed = panels.map(({ description, queries, title, unit }, index) => ({
      type: "timeseries",
      title,
      description,
      datasource,
      fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
      targets: queries.map((query, number) => ({ refId: String.fromCharCode(65 + number), datasource, ...query })),
      gridPos: {
        x: (index % columns) * width,
        y: top + Math.floor(index / columns) * height,
        w: width,
        h: height
      }
    }))
    return [row, ...placed]
  })
}

const dashboard = (uid: string, title: string, rows: ReturnType<typeof rowsOf>, variables: ReadonlyArray<object>) => ({
  uid,
  title,
  tags: ["care"],
  schemaVersion: 39,
  editable: false,
  refresh: "1m",
  time: { from: "now-6h", to: "now" },
  templating: { list: variables },
  panels: rows.map((panel, index) => ({ id: index + 1, ...panel }))
})

const serviceVariable = {
  name: "service",
  type: "query",
  datasource,
  query: 'label_values(up{job="care"}, service)',
  includeAll: true,
  multi: true,
  refresh: 1,
  current: { text: "All", value: "$__all" }
}

const panelsOf = (subject: string): ReadonlyArray<Panel> =>
  subject === "Requests" ? requestPanels : metrics.filter((metric) => metric.subject === subject).map(panelOf)

/** The dashboards for Grafana by the names of their files. */
export const dashboards = {
  "objectives.json": dashboard(
    "care-objectives",
    "Care: objectives",
    rowsOf([
      ["Objectives", objectivePanels],
      [
        "Alerts",
        [
          {
            title: "Firing alerts",
            description: "docs/runbook.md says what to do",
            unit: "short",
            queries: [
              {
                expr: 'sum by (alertname, severity) (ALERTS{alertstate="firing"})',
                legendFormat: "{{severity}} {{alertname}}"
              }
            ]
          },
          {
            title: "Processes that answer",
            description: "Processes whose metrics can be read",
            unit: "short",
            queries: [{ expr: 'sum by (service) (up{job="care"})', legendFormat: "{{service}}" }]
          }
        ]
      ]
    ]),
    []
  ),
  "processes.json": dashboard(
    "care-processes",
    "Care: processes",
    rowsOf(subjects.map((subject) => [subject, panelsOf(subject)] as const)),
    [serviceVariable]
  )
}
