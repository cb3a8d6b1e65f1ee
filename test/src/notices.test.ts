import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, dynamicBody, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { messagesTo } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { untilStaffKnown } from "./harness/untilStaffKnown.ts"
import { changeUser, checkUser } from "./harness/users.ts"

testsOn(Suite.shared, "notices of cases", (it) => {
  const emailOf = ({ organizationId }: Clinic, name: string) => `${name}.${organizationId}@example.com`
  const addProvider = (clinic: Clinic, name: string) =>
    Effect.tap(addStaff(clinic, { email: emailOf(clinic, name), firstName: name }), untilStaffKnown(clinic))
  const newCase = (clinic: Clinic, body: Readonly<Record<string, unknown>>) =>
    Effect.map(createCase(clinic, body), ({ json }): string => json.data.caseId)
  const read = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)

  /** Waits until all notices about earlier activities were sent. */
  const allTold = Effect.gen(function* () {
    yield* jobsDone("cases", "assignment")
    yield* jobsDone("cases", "assignment-sweep")
    yield* inDatabase("cases", (sql) =>
      until(sql`SELECT FROM cases.case_activity WHERE awaits_notice`, ({ length }) => length === 0)
    )
    yield* jobsDone("auth", "case-notice")
  })
  const subjectsTo = (receiver: string) => Effect.map(messagesTo(receiver), (all) => all.map(({ subject }) => subject))

  const opened = "Your case at Test clinic is open"
  const expectedSubject = "A case at Test clinic was assigned to you"

  it("a patient is told once that a case is open, and its provider that it is theirs, with nothing of it but the short id", function* () {
    const clinic = yield* makeClinic
    yield* addProvider(clinic, "jane")
    const body = caseBody(clinic)
    const { shortId, status, title } = yield* Effect.flatMap(newCase(clinic, body), (id) =>
      until(read(id), (detail) => detail.status === "ASSIGNED")
    )
    yield* allTold
    assert.deepStrictEqual([status, title], ["ASSIGNED", "Semaglutide program"])
    const [[toPatient, ...others], [toProvider, ...more]] = [
      yield* messagesTo(body.user.email),
      yield* messagesTo(emailOf(clinic, "jane"))
    ]
    assert.deepStrictEqual([others, more], [[], []])
    assert.deepInclude(toPatient, {
      channel: "EMAIL",
      to: body.user.email,
      subject: opened,
      text: `Hello Maria, your case ${shortId} at Test clinic is open. You hear from Test clinic when there is news.`
    })
    assert.deepInclude(toProvider, {
      channel: "EMAIL",
      subject: expectedSubject,
      text: `Hello jane, the case ${shortId} at Test clinic was assigned to you.`
    })
  })

  it("a name is only part of the message if it looks like a name", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* newCase(clinic, { ...body, user: { ...body.user, firstName: "www.evil.example" } })
    yield* allTold
    const [message] = yield* messagesTo(body.user.email)
    assert.match(message?.text ?? "", /^Hello, your case /)
    const [refused, dynamic] = [caseBody(clinic), dynamicBody()]
    for (const firstName of ["Maria\n\nLog in at evil.example", "Maria\u2028Log in at evil.example", "Maria\u200b"]) {
      const user = { ...refused.user, firstName }
      const answers = [
        yield* createCase(clinic, { ...refused, user }),
        yield* call("POST", "/api/v1/dynamic-case", { key: clinic.key, body: { ...dynamic, firstName } }),
        yield* changeUser(clinic.key, "UPDATE_PROFILE", { email: body.user.email, firstName })
      ]
      for (const { json, status } of answers) {
        assert.strictEqual(status, 400, JSON.stringify(json))
        assert.include(JSON.stringify(json), "firstName")
      }
    }
    for (const email of [refused.user.email, dynamic.email]) {
      const unknown = yield* checkUser(clinic.key, `email=${email}`)
      assert.deepInclude(unknown.json, { success: false, data: { code: "USER_NOT_FOUND" } })
    }
  })

  it("the patient of a dynamic case is notified while there is no provider", function* () {
    const clinic = yield* makeClinic
    const body = dynamicBody()
    assert.strictEqual((yield* call("POST", "/api/v1/dynamic-case", { key: clinic.key, body })).status, 200)
    yield* allTold
    assert.deepStrictEqual(yield* subjectsTo(body.email), [opened])
  })

  it("the patient of an abandoned case is told once it is opened, and not again when it is reopened", function* () {
    const clinic = yield* makeClinic
    yield* addProvider(clinic, "jane")
    const body = caseBody(clinic, { status: "ABANDONED" })
    const caseId = yield* newCase(clinic, body)
    const change = (status: string) =>
      call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: { action: "CHANGE_CASE_STATUS", status } })
    yield* allTold
    assert.deepStrictEqual(yield* subjectsTo(body.user.email), [])
    assert.strictEqual((yield* change("OPEN")).status, 200)
    yield* until(read(caseId), ({ status }) => status === "ASSIGNED")
    yield* allTold
    assert.deepStrictEqual(yield* subjectsTo(body.user.email), [opened])
    assert.deepStrictEqual(yield* subjectsTo(emailOf(clinic, "jane")), [expectedSubject])
    for (const status of ["CLOSE", "REOPEN"]) assert.strictEqual((yield* change(status)).status, 200)
    yield* allTold
    assert.deepStrictEqual(yield* subjectsTo(body.user.email), [opened])
  })

  it("no notice about test cases and abandoned ones, to patients who want no email, and to deleted patients", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic, "jane")
    const [test, abandoned, silent, deleted, notified] = Array.from({ length: 5 }, () => caseBody(clinic))
    if (!test || !abandoned || !silent || !deleted || !notified) return assert.fail("five bodies")
    const testCase = yield* newCase(clinic, { ...test, isTest: true })
    yield* admin("POST", `/cases/${testCase}/assign`, { providerId: provider })
    yield* newCase(clinic, { ...abandoned, status: "ABANDONED" })
    // Both patients exist before their case is opened.
    for (const { user } of [silent, deleted])
      yield* newCase(clinic, { user, products: silent.products, status: "ABANDONED" })
    const data = { email: silent.user.email, communication: { notificationsDisabled: true } }
    const changed = yield* call("POST", "/api/v1/users", {
      key: clinic.key,
      body: { action: "UPDATE_PROFILE", data }
    })
    assert.strictEqual(changed.status, 200)
    yield* newCase(clinic, { ...silent, forceCreate: true })
    yield* inDatabase("auth", (sql) => sql`UPDATE auth.users SET is_active = false WHERE email = ${deleted.user.email}`)
    yield* newCase(clinic, { ...deleted, forceCreate: true })
    yield* newCase(clinic, notified)
    yield* allTold
    for (const { user } of [test, abandoned, silent, deleted]) assert.deepStrictEqual(yield* subjectsTo(user.email), [])
    assert.deepStrictEqual(yield* subjectsTo(notified.user.email), [opened])
    assert.deepStrictEqual(yield* subjectsTo(emailOf(clinic, "jane")), [
      expectedSubject,
      expectedSubject,
      expectedSubject
    ])
  })

  it("a provider is told who gets a case when they join, and one to whom the care team gives it, each once", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const caseId = yield* newCase(clinic, body)
    yield* allTold
    const jane = yield* addProvider(clinic, "jane")
    yield* until(read(caseId), ({ assignedTo }) => assignedTo?.id === jane)
    yield* allTold
    assert.deepStrictEqual(yield* subjectsTo(emailOf(clinic, "jane")), [expectedSubject])
    const john = yield* addProvider(clinic, "john")
    assert.strictEqual((yield* admin("POST", `/cases/${caseId}/assign`, { providerId: john })).status, 200)
    yield* allTold
    assert.deepStrictEqual(yield* subjectsTo(emailOf(clinic, "john")), [expectedSubject])
    assert.deepStrictEqual(yield* subjectsTo(emailOf(clinic, "jane")), [expectedSubject])
    assert.deepStrictEqual(yield* subjectsTo(body.user.email), [opened])
  })

  it("of many assignments at once the provider who has the case in the end is told, and none twice of one", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, caseBody(clinic))
    yield* allTold
    const providers = [yield* addProvider(clinic, "jane"), yield* addProvider(clinic, "john")]
    yield* allTold
    const before = [yield* subjectsTo(emailOf(clinic, "jane")), yield* subjectsTo(emailOf(clinic, "john"))].flat()
      .length
    yield* Effect.all(
      Array.from({ length: 20 }, (_, index) =>
        admin("POST", `/cases/${caseId}/assign`, { providerId: providers[index % 2] })
      ),
      { concurrency: "unbounded" }
    )
    yield* allTold
    const { assignedTo } = yield* read(caseId)
    const messages = yield* messagesTo(assignedTo.email)
    const all = [yield* subjectsTo(emailOf(clinic, "jane")), yield* subjectsTo(emailOf(clinic, "john"))].flat()
    assert.include(
      messages.map(({ subject }) => subject),
      expectedSubject
    )
    assert.isAbove(all.length, before)
    assert.isAtMost(all.length, before + 20)
  })

  it("20 creations at once tell each patient once", function* () {
    const clinic = yield* makeClinic
    yield* addProvider(clinic, "jane")
    const bodies = Array.from({ length: 20 }, () => caseBody(clinic))
    yield* Effect.all(
      bodies.map((body) => newCase(clinic, body)),
      { concurrency: "unbounded" }
    )
    yield* allTold
    for (const { user } of bodies) assert.deepStrictEqual(yield* subjectsTo(user.email), [opened])
    assert.lengthOf(yield* subjectsTo(emailOf(clinic, "jane")), 20)
  })
})
