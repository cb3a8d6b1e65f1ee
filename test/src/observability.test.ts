import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import type { Command } from "effect/cli"
import { care } from "../../packages/cli/src/care.ts"
import { alerts } from "../observability/alerts.ts"
import { dashboards } from "../observability/dashboards.ts"
import { documents, root } from "../observability/documents.ts"
import { type MetricRow, metrics } from "../observability/metrics.ts"
import { objectives, ratioOver, windows } from "../observability/objectives.ts"
import { alertRules, rules } from "../observability/rules.ts"

const read = (file: string): string => readFileSync(join(root, file), "utf8")

const keysOf = (members: string): ReadonlyArray<string> =>
  members.split(",").map((member) => /^\s*(\w+)/.exec(member)?.[1] ?? assert.fail(`${members} is no object`))

/** Returns the metrics that a file declares, with the labels that it gives them. */
const declaredIn = (
  file: string
): ReadonlyArray<Omit<MetricRow, "processes" | "subject"> & { readonly file: string }> => {
  const text = read(file)
  const declarations = text.matchAll(
    /(?:const (\w+) =|=>)\s*Metric\.(counter|gauge|histogram)\(\s*"(\w+)",\s*\{\s*description:\s*"([^"]+)"([^}]*\})/g
  )
  return Array.from(declarations, ([, variable = "none", kind, name = "", meaning = "", rest = ""]) => {
    if (kind !== "counter" && kind !== "gauge" && kind !== "histogram") return assert.fail(`${kind} is no kind`)
    const added = Array.from(
      text.matchAll(new RegExp(`withAttributes\\(${variable}, \\{([^}]+)\\}`, "g")),
      ([, members = ""]) => keysOf(members)
    )
    const own = /attributes: \{([^}]+)\}/.exec(rest)?.[1]
    const labels = [...new Set([...added.flat(), ...(own === undefined ? [] : keysOf(own))])].sort()
    return { file, name, kind, labels, meaning }
  })
}

const sources = globSync(["packages/*/src/**/*.ts", "services/*/src/**/*.ts"], { cwd: root }).filter(
  (file) => !file.endsWith(".test.ts")
)
const declared = sources.flatMap(declaredIn)

it("the table of metrics has each metric that the code declares, with its kind, labels and description", () => {
  const byName = (one: { readonly name: string }, other: { readonly name: string }) =>
    one.name.localeCompare(other.name)
  assert.deepStrictEqual(
    metrics.map(({ kind, labels, meaning, name }) => ({ name, kind, labels: labels.toSorted(), meaning })).sort(byName),
    declared.map(({ kind, labels, meaning, name }) => ({ name, kind, labels, meaning })).sort(byName)
  )
  // A declaration of another form would be overlooked.
  const all = sources.flatMap((file) => [
    ...read(file).matchAll(/Metric\.(counter|gauge|histogram|timer|summary|frequency)\(/g)
  ])
  assert.lengthOf(all, declared.length)
})

it("a metric that one service declares is a metric of that process", () => {
  for (const { file, name } of declared) {
    const [folder, process = ""] = file.split("/")
    const row = metrics.find((metric) => metric.name === name)
    if (folder === "services") assert.deepStrictEqual<ReadonlyArray<string> | undefined>(row?.processes, [process])
    else assert.isAbove(row?.processes.length ?? 0, 1)
  }
})

for (const [file, text] of Object.entries(documents)) {
  it(`${file} is what the tables say (pnpm docs:observability writes it)`, () => {
    assert.strictEqual(read(file), text)
  })
}

it("docs/operations.md has the table of metrics", () => {
  for (const { name } of metrics) assert.match(read("docs/operations.md"), new RegExp(`^\\| \`${name}\` `, "m"))
})

// What a scrape adds, what Prometheus itself makes, and what rules and histograms add.
const targetLabels = ["job", "service", "instance", "le"]
const labelsOfSeries: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ...metrics.flatMap(({ kind, labels, name }) =>
    (kind === "histogram" ? ["_bucket", "_sum", "_count"] : [""]).map(
      (suffix) => [`${name}${suffix}`, [...targetLabels, ...labels]] as const
    )
  ),
  ...windows.map((window) => [ratioOver(window), ["slo"]] as const),
  ["up", targetLabels],
  ["ALERTS", ["alertname", "alertstate", "severity"]]
])

const words =
  "and or on by unless offset sum max min rate increase vector histogram_quantile min_over_time label_values".split(" ")

/** Returns what is wrong with the names in an expression: metrics that do not exist, and labels that they do not have. */
const unknownIn = (expr: string): ReadonlyArray<string> => {
  const selectors = [...expr.matchAll(/([\w:]+)\{([^}]*)\}/g)].flatMap(([, name = "", matchers = ""]) =>
    [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = ""]) => [name, label] as const)
  )
  const bare = expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, " ").replaceAll(/offset \w+/g, " ")
  const grouped = [...bare.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(", "))
  const names = [...bare.replaceAll(/\b(?:by|on) \([^)]*\)/g, " ").matchAll(/(?<![\w.:])[A-Za-z_][\w:]*/g)].flatMap(
    ([name]) => (words.includes(name) ? [] : [name])
  )
  const known = names.flatMap((name) => labelsOfSeries.get(name) ?? [])
  return [
    ...names.filter((name) => !labelsOfSeries.has(name)),
    ...selectors.flatMap(([name, label]) =>
      labelsOfSeries.get(name)?.includes(label) === false ? [`${name}{${label}}`] : []
    ),
    ...grouped.filter((label) => !known.includes(label)).map((label) => `by ${label}`)
  ]
}

const panels = Object.values(dashboards).flatMap((dashboard) => dashboard.panels)
const queries = panels.flatMap((panel) => ("targets" in panel ? panel.targets.map(({ expr }) => expr) : []))
const expressions = rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr))

it("every expression of the rules and dashboards names metrics and labels that exist", () => {
  assert.deepStrictEqual(unknownIn('sum by (queue) (rate(jobz{state="failed"}[5m]))'), ["jobz", "by queue"])
  assert.deepStrictEqual(unknownIn('sum by (lane) (rate(jobs{sort="failed"}[5m]))'), ["jobs{sort}", "by lane"])
  assert.isAbove(queries.length, 25)
  assert.deepStrictEqual([...expressions, ...queries].flatMap(unknownIn), [])
})

it("the dashboards show every metric", () => {
  const shown = queries.join("\n")
  assert.deepStrictEqual(
    metrics.filter(({ name }) => !new RegExp(`\\b${name}(_bucket|_count)?\\{`).test(shown)),
    []
  )
})

it("every alert has its section in docs/runbook.md, and every section its alert", () => {
  const names = [...objectives, ...alerts].map(({ alert }) => alert)
  const sections = Array.from(read("docs/runbook.md").matchAll(/^### (.*)$/gm), ([, title = ""]) => title)
  assert.deepStrictEqual(sections, names)
  for (const { alert, annotations } of alertRules) {
    assert.strictEqual(annotations.runbook_url, `docs/runbook.md#${alert.toLowerCase()}`)
  }
})

const pathsOf = (command: Command.Command.Any, path: string): ReadonlyArray<string> => [
  path,
  ...command.subcommands.flatMap(({ commands }) => commands).flatMap((below) => pathsOf(below, `${path} ${below.name}`))
]

it("the runbook names metrics and commands that exist", () => {
  const code = Array.from(read("docs/runbook.md").matchAll(/`([^`]+)`/g), ([, text = ""]) => text)
  const [tables, names] = [["pg_stat_activity"], code.filter((text) => /^[a-z]+(_[a-z]+)+$/.test(text))]
  assert.isNotEmpty(names)
  assert.deepStrictEqual(
    names.filter((name) => !tables.includes(name) && !metrics.some((metric) => metric.name === name)),
    []
  )
  const paths = pathsOf(care, "care")
  const commands = code.filter((text) => text.startsWith("care ")).map((text) => text.replace(/ (--|<).*/, ""))
  assert.isNotEmpty(commands)
  assert.deepStrictEqual(
    commands.filter((command) => !paths.includes(command)),
    []
  )
})

it("each alert has a test in which it fires, and one in which it does not", () => {
  const tested = ["causes", "objectives"].map((name) => documents[`deploy/observability/${name}.test.yml`]).join("")
  for (const { alert } of [...objectives, ...alerts]) {
    assert.include(tested, `- name: ${alert} `)
    assert.include(tested, `- name: ${alert} does not fire`)
  }
})
