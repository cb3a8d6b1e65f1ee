import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { stringify } from "yaml"
import { dashboards } from "../observability/dashboards.ts"

const folder = join(import.meta.dirname, "../../deploy/observability")
const queries = Object.values(dashboards)
  .flatMap((dashboard) => dashboard.panels)
  .flatMap((panel) => ("targets" in panel ? panel.targets.map(({ expr }) => expr) : []))

const run = (...parameters: ReadonlyArray<string>) =>
  spawnSync("promtool", parameters, { encoding: "utf8", timeout: 150_000 })

const assertPasses = (...parameters: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = run(...parameters)
  assert.strictEqual(status, 0, `${stdout}${stderr}`)
}

if (run("--version").status === 0) {
  it("promtool accepts the rules, and their tests pass", () => {
    assertPasses("check", "rules", join(folder, "rules.yml"))
    assertPasses("test", "rules", join(folder, "causes.test.yml"), join(folder, "objectives.test.yml"))
  }, 160_000)

  it("promtool can read every query of the dashboards", () => {
    const written = mkdtempSync(join(tmpdir(), "care-queries-"))
    const asRules = queries.map((expr, index) => ({
      record: `query:${index}`,
      expr: expr.replaceAll("$__rate_interval", "5m")
    }))
    writeFileSync(join(written, "queries.yml"), stringify({ groups: [{ name: "queries", rules: asRules }] }))
    assertPasses("check", "rules", join(written, "queries.yml"))
    rmSync(written, { recursive: true })
  })
} else {
  it("leaves out the rules of Prometheus, because promtool is not installed (Debian: prometheus)", () => {
    process.stdout.write(
      "The rules of Prometheus were not tested, because promtool is not installed (Debian: prometheus).\n"
    )
  })
}
