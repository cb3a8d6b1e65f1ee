import { readFileSync } from "node:fs"
import { join } from "node:path"
import { tableOf } from "../configuration/tableOf.ts"
import { dashboards } from "./dashboards.ts"
import { metrics } from "./metrics.ts"
import { causesTestFile, objectivesTestFile, rulesFile } from "./rules.ts"

export const root = join(import.meta.dirname, "../..")

const tableOfMetrics = tableOf([
  ["metric", "kind", "labels", "process"],
  ...metrics.map(({ kind, labels, name, processes }) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(", "),
    processes.length === 5 ? "all" : processes.length === 4 ? "services" : processes.join(", ")
  ])
])

// The document with its table of metrics, which is the only one that begins like that.
const withTable = (document: string): string =>
  document.replace(/^\| metric [^\n]*\n(\|[^\n]*\n)+/m, `${tableOfMetrics}\n`)

/** What is written from the tables of this folder, by the path of each file. */
export const documents: Readonly<Record<string, string>> = {
  "docs/operations.md": withTable(readFileSync(join(root, "docs/operations.md"), "utf8")),
  "deploy/observability/rules.yml": rulesFile,
  "deploy/observability/causes.test.yml": causesTestFile,
  "deploy/observability/objectives.test.yml": objectivesTestFile,
  ...Object.fromEntries(
    Object.entries(dashboards).map(([file, dashboard]) => [
      `deploy/observability/dashboards/${file}`,
      `${JSON.stringify(dashboard, null, 2)}\n`
    ])
  )
}
