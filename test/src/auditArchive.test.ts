import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fillDisk } from "@care/audit/testing"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { runAudit, tamper } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Link {
  readonly number: number
  readonly month: string
}

const services = ["auth", "cases", "payments", "scheduling"]

testsOn(Suite.layer, "archives of the audit", (it) => {
  const linksOf = ({ organizationId }: Clinic) =>
    Effect.map(admin("GET", `/audit/links/cases/${organizationId}`), ({ json }): ReadonlyArray<Link> => json.data)

  it("a month moves to files, which are verified with the database and alone, and is read from them", function* () {
    yield* Effect.gen(function* () {
      const { advance, clock } = yield* SuiteTime
      const [clinic, other] = [yield* makeClinic, yield* makeClinic]
      const { organizationId } = clinic
      const body = caseBody(clinic)
      const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
      yield* createCase(other, caseBody(other))
      const read = call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
      const userId: string = (yield* read).json.caseDetail.submitter.id
      yield* until(linksOf(clinic), ({ length }) => length >= 2)
      yield* until(linksOf(other), ({ length }) => length >= 1)
      yield* until(
        inDatabase(
          "auth",
          (sql) => sql`SELECT FROM auth.audit_entries WHERE organization_id = ${clinic.organizationId}`
        ),
        ({ length }) => length >= 1
      )
      for (const count of [4, 6]) {
        yield* advance("32 days")
        yield* Effect.replicateEffect(read, 2)
        yield* until(linksOf(clinic), ({ length }) => length >= count)
      }
      const links = yield* linksOf(clinic)
      const [first = "", second = "", present = ""] = [...new Set(links.map(({ month }) => month))]
      const run = (...flags: ReadonlyArray<string>) => Effect.provideService(runAudit(...flags), Clock.Clock, clock)
      const parent = yield* temporaryFolder()
      const folder = join(parent, "archive")
      const archive = (month: string, to = folder) => run("archive", month, "--to", to)
      const verify = (...flags: ReadonlyArray<string>) => run("verify", ...flags)
      const offline = (to = folder) => verify("--archive", to, "--offline")

      for (const [month, message] of [
        [present, `${present} is not over.`],
        ["2026-13", "a month such as 2026-05"]
      ] as const) {
        const refused = yield* archive(month)
        assert.isFalse(refused.isGood)
        assert.include(refused.errors, message)
      }
      // A variable that is not set.
      assert.include((yield* archive(first, "")).errors, `"" cannot be the folder of archives`)
      assert.include((yield* verify("--offline")).errors, "--offline needs --archive <folder>.")
      assert.include((yield* offline(parent)).errors, `${parent} has no archive.`)

      // A full disk: what is complete stays, and nothing is removed. The same command goes on.
      const full = yield* Effect.scoped(Effect.andThen(fillDisk(1500), archive(first)))
      assert.isFalse(full.isGood)
      assert.match(full.errors, /cannot be written \(ENOSPC.*: run the same command again\.$/)
      assert.lengthOf(yield* linksOf(clinic), links.length)

      // Two operators at once, into one folder.
      const together = yield* Effect.all([archive(first), archive(first)], { concurrency: "unbounded" })
      for (const { errors, isGood, out } of together) {
        assert.isTrue(isGood, errors)
        assert.include(out, `${first} is in ${folder}, and not in the databases any more`)
      }
      assert.isTrue((yield* archive(first)).isGood)
      assert.include((yield* archive(first, join(parent, "late"))).errors, "was archived already, in another folder")
      assert.deepStrictEqual(
        (yield* linksOf(clinic)).map(({ number }) => number),
        links.filter(({ month }) => month !== first).map(({ number }) => number)
      )
      for (const service of services) {
        const parts = yield* inDatabase(
          service as "cases",
          (sql) => sql`SELECT FROM pg_class WHERE relname = ${`audit_entries_${first.replace("-", "")}`}`
        )
        assert.lengthOf(parts, 0)
        assert.include(readdirSync(join(folder, first, service)), "chains.audit")
      }
      assert.deepStrictEqual(readdirSync(join(folder, first)).sort(), services)
      const names = readdirSync(join(folder, first, "cases"))
      assert.sameMembers(names, ["chains.audit", `${organizationId}.audit`, `${other.organizationId}.audit`])

      // Reads of the month say that it is archived.
      const listed = yield* call("GET", `/api/v1/audit-records?userId=${userId}`, { key: clinic.key })
      assert.deepStrictEqual(listed.json.archivedMonths, [first])
      const since = yield* call("GET", `/api/v1/audit-records?from=${present}-01T00:00:00Z`, { key: clinic.key })
      assert.isUndefined(since.json.archivedMonths)
      assert.deepStrictEqual((yield* admin("GET", `/audit?caseId=${caseId}`)).json.archivedMonths, [first])
      assert.include(
        (yield* run("list", "--patient", userId)).out,
        `Without the records of months that are archived: ${first}`
      )

      // Verified without the archive, with it, and the archive alone.
      const without = yield* verify()
      assert.isTrue(without.isGood, without.out)
      assert.include(without.out, `Not verified, because they are archived: ${first} (--archive <folder>)`)
      const withArchive = yield* verify("--archive", folder)
      assert.isTrue(withArchive.isGood, withArchive.out)
      assert.notInclude(withArchive.out, "Not verified")
      assert.include(withArchive.errors, join(first, "cases", `${organizationId}.audit: 2 records`))
      assert.isTrue((yield* verify("--month", first, "--archive", folder)).isGood)
      assert.include((yield* verify("--month", first)).out, "Not verified")
      assert.isTrue((yield* offline()).isGood)

      // The next month, too, by two operators at once into different folders: who is overtaken says so, and takes the files of the other.
      const elsewhere = join(parent, "elsewhere")
      const apart = yield* Effect.all([archive(second), archive(second, elsewhere)], { concurrency: "unbounded" })
      assert.isTrue(apart.some(({ isGood }) => isGood))
      for (const { errors, isGood } of apart) if (!isGood) assert.match(errors, /archived already/)
      cpSync(elsewhere, folder, { recursive: true, force: false })
      assert.isTrue((yield* archive(second)).isGood)
      assert.isTrue((yield* verify("--archive", folder)).isGood)
      assert.isTrue((yield* offline()).isGood)

      // What the files have is read with the key: ids, and no data of the patient.
      const inFiles = yield* run("list", "--archive", folder, "--case", caseId, "--json")
      const records: ReadonlyArray<{ readonly action: string; readonly at: string }> = JSON.parse(inFiles.out).data
      assert.deepStrictEqual(
        records.filter(({ action }) => action === "CASE_READ").map(({ at }) => at.slice(0, 7)),
        [second, second, first]
      )
      yield* admin("POST", `/users/${userId}/erase`, {})
      const afterErasure = yield* run("list", "--archive", folder, "--patient", userId, "--json")
      assert.isNotEmpty(JSON.parse(afterErasure.out).data)
      for (const personal of [body.user.email, body.user.firstName, body.user.lastName, body.user.phoneNumber]) {
        assert.notInclude(afterErasure.out, personal)
      }

      // Every change of the files is found, and the file is named.
      const found = Effect.fnUntraced(function* (change: (copy: string) => void) {
        const copy = join(parent, "copy")
        cpSync(folder, copy, { recursive: true })
        change(copy)
        const outs = [yield* offline(copy), yield* verify("--archive", copy)]
        rmSync(copy, { recursive: true })
        return outs.map(({ isGood, out }) => {
          assert.isFalse(isGood, out)
          return out
        })
      })
      const path = join(first, "cases", `${organizationId}.audit`)
      const whole = readFileSync(join(folder, path))
      // A byte anywhere: in the first line, the key's id, the content, at the end.
      const head = whole.indexOf("\n")
      for (const at of [
        0,
        head - 3,
        head,
        head + 1,
        head + 3,
        head + 4,
        head + 60,
        whole.length - 8,
        whole.length - 2,
        whole.length - 1
      ]) {
        const outs = yield* found((copy) => {
          const bytes = Buffer.from(whole)
          bytes[at] = (bytes[at] ?? 0) ^ 1
          writeFileSync(join(copy, path), bytes)
        })
        for (const out of outs) assert.include(out, `${path}: `, String(at))
      }
      const pathOf = (month: string, service: string, name: string) => join(month, service, `${name}.audit`)
      const changes: ReadonlyArray<readonly [string, (copy: string) => void]> = [
        ["a file that is not there", (copy) => rmSync(join(copy, path))],
        ["one that ends too early", (copy) => writeFileSync(join(copy, path), whole.subarray(0, head + 1))],
        ["another month's", (copy) => cpSync(join(copy, pathOf(second, "cases", organizationId)), join(copy, path))],
        ["another service's", (copy) => cpSync(join(copy, pathOf(first, "auth", organizationId)), join(copy, path))],
        [
          "another organization's",
          (copy) => cpSync(join(copy, pathOf(first, "cases", other.organizationId)), join(copy, path))
        ]
      ]
      for (const [name, change] of changes) {
        for (const out of yield* found(change)) assert.include(out, `${path}: `, name)
      }
      const more = yield* found((copy) => writeFileSync(join(copy, first, "cases", "more.audit"), whole))
      for (const out of more) assert.include(out, "more.audit: it is not a file of this archive")
      const withoutList = yield* found((copy) => rmSync(join(copy, pathOf(first, "payments", "chains"))))
      for (const out of withoutList) assert.include(out, `${pathOf(first, "payments", "chains")}: it is missing`)
      const lists = yield* found((copy) => {
        const list = join(copy, pathOf(first, "cases", "chains"))
        writeFileSync(list, `${readFileSync(list, "utf8").split("\n", 1)}\n`)
      })
      for (const out of lists) assert.include(out, `${pathOf(first, "cases", "chains")}: its last lines were removed`)
      const onlySecond = join(parent, "second")
      cpSync(join(folder, second), join(onlySecond, second), { recursive: true })
      const withoutMonth = (yield* verify("--archive", onlySecond)).out
      assert.include(withoutMonth, `${first} is archived, and is not in `)
      assert.isTrue((yield* offline()).isGood)

      // A key that was rotated away is named.
      const rotated = yield* found((copy) => {
        const list = join(copy, pathOf(first, "cases", "chains"))
        writeFileSync(list, readFileSync(list, "utf8").replace(/^[^{:\n]+:/m, "k9:"))
      })
      for (const out of rotated) assert.include(out, "it is sealed with the key k9, which is not in PHI_KEY")

      // Who only marks a month as archived is found.
      yield* tamper((sql) => sql`UPDATE cases.audit_checkpoints SET archived_at = NULL`)
      assert.include((yield* verify()).out, `the checkpoint of ${first} was changed, or made by somebody else`)
    }).pipe(Effect.scoped)
  })
})
