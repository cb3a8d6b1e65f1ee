import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { CaseStatus } from "@care/domain/cases"
import { assert, it } from "@effect/vitest"

const root = join(import.meta.dirname, "../..")
const sources = globSync("**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"))
const containing = (pattern: RegExp) => sources.filter((file) => pattern.test(readFileSync(join(root, file), "utf8")))

const home = ["case/lifecycle/CasesRepo.ts", "case/lifecycle/AssignmentsRepo.ts"]

it("only the case's home, its readers, its notices, its events, its creation, its patient and its simulations name the table in SQL", () => {
  assert.sameMembers(containing(/\b(FROM|JOIN|INTO|UPDATE)\s+cases\b/), [
    ...home,
    "case/lifecycle/patientOfCase.ts",
    "records/reading/ReadingRepo.ts",
    "records/search/SearchRepo.ts",
    "records/viewers/ViewersRepo.ts",
    "records/dashboard/DashboardRepo.ts",
    "records/troubles/TroublesRepo.ts",
    "escalations/EscalationsRepo.ts",
    "orders/OrdersInErrorRepo.ts",
    "case/notices/CaseNoticesRepo.ts",
    "webhooks/events/RelayRepo.ts",
    "intake/IntakeRepo.ts",
    "records/patients/PatientCasesRepo.ts",
    "records/patients/patientTables.ts",
    "simulations/SimulationsRepo.ts"
  ])
  assert.sameMembers(containing(/\bUPDATE\s+cases\b/), home)
  assert.sameMembers(containing(/\bprovider_loads\b/), home)
})

it("no SQL spells the status of a case", () => {
  const spelled = new RegExp(`'(${CaseStatus.literals.join("|")})'`)
  assert.match("status IN ('OPEN')", spelled)
  assert.include(sources, "case/lifecycle/CasesRepo.ts")
  assert.deepStrictEqual(containing(spelled), [])
})
