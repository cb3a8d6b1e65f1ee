import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, decisionBody, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { untilStaffKnown } from "./harness/untilStaffKnown.ts"
import { whileInsertsFail } from "./harness/whileInsertsFail.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"
const statuses = ["OPEN", "ABANDONED", "ASSIGNED", "IN_PROGRESS", "APPROVED", "REJECTED", "NO_DECISION"] as const

testsOn(Suite.layer, "CHANGE_CASE_STATUS", (it) => {
  const invalid = (error: string) => ({ status: 400, success: false, message: "Invalid request", error })
  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = {}) =>
    Effect.map(createCase(clinic, caseBody(clinic, changes)), ({ json }): string => json.data.caseId)
  const read = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)
  const change = (
    { key }: Clinic,
    caseId: string,
    body: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>> = {}
  ) => call("POST", `/api/v1/cases/${caseId}`, { key, headers, body: { action: "CHANGE_CASE_STATUS", ...body } })
  const changed = Effect.fnUntraced(function* (clinic: Clinic, caseId: string, status: string) {
    const { json } = yield* change(clinic, caseId, { status })
    assert.strictEqual(json.status, 200, `${status}: ${json.error}`)
  })
  const refused = Effect.fnUntraced(function* (clinic: Clinic, caseId: string, body: object, error: string) {
    yield* expectAnswer(change(clinic, caseId, { ...body }), 400, invalid(error), JSON.stringify(body))
  })
  const addProvider = Effect.fnUntraced(function* ({ organizationId }: Clinic) {
    const email = `p.${crypto.randomUUID()}@example.com`
    return yield* addStaff({ organizationId }, { email })
  })
  /** Makes a test case, which is not assigned automatically, in a status. */
  const caseIn = Effect.fnUntraced(function* (clinic: Clinic, provider: string, status: (typeof statuses)[number]) {
    const caseId = yield* newCase(clinic, { isTest: true, ...(status === "ABANDONED" && { status }) })
    if (status === "OPEN" || status === "ABANDONED") return caseId
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
    if (status === "IN_PROGRESS") yield* admin("POST", `/cases/${caseId}/start`)
    if (status === "ASSIGNED" || status === "IN_PROGRESS") return caseId
    yield* admin(
      "POST",
      `/cases/${caseId}/decisions`,
      decisionBody(provider, { isApproved: status === "APPROVED", isNoDecision: status === "NO_DECISION" })
    )
    return caseId
  })
  const activityOf = (caseId: string) =>
    Effect.map(admin("GET", `/cases/${caseId}/activity?limit=100`), ({ json }): ReadonlyArray<string> => {
      const all: ReadonlyArray<{ type: string; sequence: number }> = json.data
      assert.deepStrictEqual(
        all.map(({ sequence }) => sequence),
        all.map((_, index) => index + 1)
      )
      return all.map(({ type }) => type)
    })
  const jobsAbout = (caseId: string) =>
    inDatabase(
      "cases",
      (sql) => sql<{ id: string; queueName: string; state: string }>`
        SELECT id, queue_name AS "queueName", state FROM cases.jobs WHERE subject = ${caseId} ORDER BY created_at
      `
    )

  it("OPEN opens open, assigned and abandoned cases, and no others", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic)
    for (const status of statuses) {
      const caseId = yield* caseIn(clinic, provider, status)
      assert.strictEqual((yield* read(caseId)).status, status)
      if (["OPEN", "ABANDONED", "ASSIGNED"].includes(status)) {
        const opened = yield* change(clinic, caseId, { status: "OPEN" })
        const body = { status: 200, success: true, message: "Case opened successfully" }
        assert.deepStrictEqual([opened.status, opened.json], [200, body])
        assert.deepInclude(yield* read(caseId), { status: "OPEN", assignedTo: null, isArchived: false })
      } else {
        yield* refused(clinic, caseId, { status: "OPEN" }, `Case cannot be opened from status ${status}`)
        assert.strictEqual((yield* read(caseId)).status, status)
      }
    }
  })

  it("CLOSE archives a case of any status with its reason, and REOPEN restores its status", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic)
    for (const status of statuses) {
      const caseId = yield* caseIn(clinic, provider, status)
      yield* refused(clinic, caseId, { status: "REOPEN" }, "Case is not closed")
      const closed = yield* change(clinic, caseId, { status: "CLOSE", reason: `moved away, ${status}` })
      const body = { status: 200, success: true, message: "Case closed successfully" }
      assert.deepStrictEqual([closed.status, closed.json], [200, body])
      const archived = yield* read(caseId)
      assert.deepInclude(archived, {
        status,
        isArchived: true,
        archiveNote: `moved away, ${status}`,
        archiveReason: null
      })
      assert.match(archived.closedAt, /Z$/)
      for (const otherStatus of ["OPEN", "CLOSE"]) {
        yield* refused(clinic, caseId, { status: otherStatus }, "Case has been closed")
      }
      assert.deepStrictEqual(yield* read(caseId), archived)
      const reopened = yield* change(clinic, caseId, { status: "REOPEN", reason: "of no meaning here" })
      assert.deepStrictEqual([reopened.status, reopened.json.message], [200, "Case reopened successfully"])
      const cleared = { status, isArchived: false, closedAt: null, archiveNote: null, archiveReason: null }
      assert.deepInclude(yield* read(caseId), cleared)
      const activity = yield* activityOf(caseId)
      assert.deepStrictEqual(activity.slice(-2), ["CASE_CLOSED", "CASE_REOPENED"])
    }
  })

  it("400: invalid statuses, and other malformed fields", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, { isTest: true })
    for (const status of [
      "close",
      "CLOSED",
      "ABANDONED",
      " OPEN",
      "",
      null,
      1,
      true,
      ["OPEN"],
      { is: "OPEN" },
      undefined
    ]) {
      yield* refused(clinic, caseId, { status }, "Invalid status value")
    }
    for (const reason of [1, true, ["x"], { text: "x" }]) {
      yield* refused(clinic, caseId, { status: "CLOSE", reason }, "reason, must be a text")
    }
    const long = "reason, must be at most 10000 characters long"
    yield* refused(clinic, caseId, { status: "CLOSE", reason: "x".repeat(10_001) }, long)
    for (const action of [1, null, true, ["CHANGE_CASE_STATUS"], { is: 1 }, "change_case_status", undefined]) {
      yield* refused(clinic, caseId, { action, status: "CLOSE" }, "Invalid action")
    }
    yield* expectAnswer(
      call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, raw: "{" }),
      400,
      invalid("Invalid action")
    )
    assert.strictEqual((yield* read(caseId)).isArchived, false)
    assert.deepStrictEqual(yield* activityOf(caseId), ["CASE_CREATED"])
  })

  it("an unknown case is 400, whatever the form of its id", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, { isTest: true })
    for (const status of ["OPEN", "CLOSE", "REOPEN"]) {
      for (const id of [unknownId, "no-uuid", `${caseId}x`, "%20"]) {
        yield* refused(clinic, id, { status }, "No Case found for provided details!")
      }
    }
    assert.deepStrictEqual(yield* activityOf(caseId), ["CASE_CREATED"])
    assert.strictEqual((yield* change(clinic, caseId.toUpperCase(), { status: "CLOSE" })).status, 200)
    assert.strictEqual((yield* read(caseId)).isArchived, true)
  })

  it("with one idempotency key a change takes effect once, and another body is a 409", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, { isTest: true })
    const keyed = (body: Readonly<Record<string, unknown>>) =>
      change(clinic, caseId, body, { "idempotency-key": `status of ${caseId}` })
    const close = keyed({ status: "CLOSE", reason: "done" })
    const answers = yield* Effect.all(
      Array.from({ length: 20 }, () => close),
      { concurrency: "unbounded" }
    )
    for (const { json, status } of answers) {
      assert.deepStrictEqual([status, json.message], [200, "Case closed successfully"])
    }
    assert.deepStrictEqual(yield* activityOf(caseId), ["CASE_CREATED", "CASE_CLOSED"])
    const conflict = yield* keyed({ status: "REOPEN" })
    assert.deepStrictEqual([conflict.status, conflict.json.code], [409, "IDEMPOTENCY_ERROR"])
    yield* changed(clinic, caseId, "REOPEN")
    assert.strictEqual((yield* close).status, 200)
    assert.strictEqual((yield* read(caseId)).isArchived, false)
  })

  it("an abandoned case is assigned once it is opened, and a reopened one if it is open", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic)
    // Otherwise a sweep for the new provider may assign the reopened case.
    yield* untilStaffKnown(clinic)
    const assigned = (caseId: string) => until(read(caseId), ({ status }) => status === "ASSIGNED")
    const caseId = yield* newCase(clinic, { status: "ABANDONED" })
    yield* changed(clinic, caseId, "OPEN")
    assert.strictEqual((yield* assigned(caseId)).assignedTo.id, provider)
    // A reopened case loses its provider, and waits.
    yield* changed(clinic, caseId, "OPEN")
    assert.deepInclude(yield* read(caseId), { status: "OPEN", assignedTo: null })
    yield* changed(clinic, caseId, "CLOSE")
    yield* changed(clinic, caseId, "REOPEN")
    assert.strictEqual((yield* assigned(caseId)).assignedTo.id, provider)
    assert.lengthOf(yield* jobsAbout(caseId), 2)

    const test = yield* newCase(clinic, { status: "ABANDONED", isTest: true })
    for (const status of ["OPEN", "CLOSE", "REOPEN"]) yield* changed(clinic, test, status)
    assert.deepStrictEqual(yield* jobsAbout(test), [])
  })

  it("closing cancels the pending jobs of the case in the same transaction, and no others", function* () {
    const clinic = yield* makeClinic
    const [caseId, other] = [yield* newCase(clinic), yield* newCase(clinic)]
    yield* jobsDone("cases", "assignment")
    // As if no worker had claimed them yet.
    const wait = inDatabase(
      "cases",
      (sql) => sql`
          UPDATE cases.jobs SET state = 'pending', ended_at = NULL, payload = '', due_at = now() + interval '1 hour'
          WHERE subject = ANY(${[caseId, other]}::uuid[])
        `
    )
    yield* wait
    const statesOf = (id: string) => Effect.map(jobsAbout(id), (jobs) => jobs.map(({ state }) => state))
    assert.deepStrictEqual([yield* statesOf(caseId), yield* statesOf(other)], [["pending"], ["pending"]])
    yield* changed(clinic, caseId, "CLOSE")
    assert.deepStrictEqual([yield* statesOf(caseId), yield* statesOf(other)], [["cancelled"], ["pending"]])

    const [job] = yield* jobsAbout(caseId)
    const listed = yield* admin("GET", "/jobs?state=cancelled&queue=assignment")
    assert.deepInclude(listed.json.data[0], { id: job?.id, service: "cases", state: "cancelled" })
    assert.match(listed.json.data[0].endedAt, /Z$/)
    const retried = yield* admin("POST", `/jobs/${job?.id}/retry`)
    assert.deepStrictEqual(
      [retried.status, retried.json.detail],
      [409, `The job ${job?.id} is cancelled; only one that failed is repeated.`]
    )
    const { urls } = yield* Suite
    const metrics = yield* Effect.promise(async () => (await fetch(`${urls.cases}/metrics`)).text())
    assert.match(metrics, /jobs_cancelled_total\{queue="assignment"\} [1-9]/)
  })

  it("a case is not opened if its jobs cannot be stored", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, { status: "ABANDONED" })
    const open = change(clinic, caseId, { status: "OPEN" })
    assert.strictEqual((yield* whileInsertsFail("cases", "jobs", "NEW.queue_name = 'assignment'", open)).status, 500)
    assert.strictEqual((yield* read(caseId)).status, "ABANDONED")
    assert.deepStrictEqual(yield* activityOf(caseId), ["CASE_CREATED"])
    assert.strictEqual((yield* open).status, 200)
  })

  it("a job that begins after the case was closed does nothing, and logs that", function* () {
    const clinic = yield* makeClinic
    const caseId = yield* newCase(clinic, { status: "ABANDONED" })
    yield* addProvider(clinic)
    yield* untilStaffKnown(clinic)
    const { output } = yield* Suite
    // Closed directly, so that its job is not cancelled.
    yield* inDatabase(
      "cases",
      (sql) => sql`
          CREATE FUNCTION cases.close_again() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
              UPDATE cases.cases SET is_archived = true, closed_at = now() WHERE id = NEW.subject;
              RETURN NEW;
            END
          $$
        `
    )
    yield* inDatabase(
      "cases",
      (sql) => sql`
          CREATE TRIGGER close_again AFTER INSERT ON cases.jobs FOR EACH ROW WHEN (NEW.queue_name = 'assignment')
          EXECUTE FUNCTION cases.close_again()
        `
    )
    yield* changed(clinic, caseId, "OPEN").pipe(
      Effect.ensuring(Effect.orDie(inDatabase("cases", (sql) => sql`DROP FUNCTION cases.close_again CASCADE`)))
    )
    const [job] = yield* until(
      jobsAbout(caseId),
      ([found]) => !["pending", "running"].includes(found?.state ?? "pending")
    )
    assert.strictEqual(job?.state, "cancelled")
    assert.deepInclude(yield* read(caseId), { status: "OPEN", assignedTo: null })
    const logParts = output.join("\n").split("Job cancelled: The case is closed")
    assert.lengthOf(logParts, 2)
    assert.include(logParts[1]?.slice(0, 500), job?.id)
  })

  it("after closing a case its patient can have a new one, and reopening keeps both", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    const first: string = (yield* createCase(clinic, body)).json.data.caseId
    assert.strictEqual((yield* createCase(clinic, body)).status, 409)
    yield* changed(clinic, first, "CLOSE")
    const second = yield* createCase(clinic, body)
    assert.strictEqual(second.status, 200)
    yield* changed(clinic, first, "REOPEN")
    for (const caseId of [first, second.json.data.caseId]) {
      assert.deepInclude(yield* read(caseId), { status: "OPEN", isArchived: false })
    }
    assert.strictEqual((yield* createCase(clinic, body)).status, 409)
  })

  it("parallel opposite changes end in a state that fits their responses and the activity", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic)
    const cases = yield* Effect.forEach(Array.from({ length: 6 }), () => caseIn(clinic, provider, "ASSIGNED"))
    const rounds = ["CLOSE", "REOPEN", "OPEN", "CLOSE", "REOPEN", "CLOSE", "OPEN", "REOPEN"]
    const answers = yield* Effect.forEach(
      cases,
      (caseId) => Effect.forEach(rounds, (status) => change(clinic, caseId, { status }), { concurrency: "unbounded" }),
      { concurrency: "unbounded" }
    )
    for (const [index, caseId] of cases.entries()) {
      const messages = (answers[index] ?? []).filter(({ status }) => status === 200).map(({ json }) => json.message)
      const count = (message: string) => messages.filter((each) => each === message).length
      const activity = yield* activityOf(caseId)
      const detail = yield* read(caseId)
      assert.strictEqual(activity.filter((type) => type === "CASE_CLOSED").length, count("Case closed successfully"))
      assert.strictEqual(
        activity.filter((type) => type === "CASE_REOPENED").length,
        count("Case reopened successfully")
      )
      assert.strictEqual(activity.filter((type) => type === "CASE_OPENED").length, count("Case opened successfully"))
      let isArchived = false
      for (const type of activity) {
        if (type === "CASE_CLOSED" || type === "CASE_REOPENED") {
          assert.strictEqual(isArchived, type === "CASE_REOPENED")
          isArchived = !isArchived
        } else if (type === "CASE_OPENED") assert.isFalse(isArchived)
      }
      assert.strictEqual(detail.isArchived, isArchived)
      assert.strictEqual(detail.closedAt !== null, isArchived)
    }
    const loads = yield* inDatabase(
      "cases",
      (sql) => sql<{ kept: number; counted: number }>`
          SELECT case_count AS kept, (
            SELECT count(*)::integer FROM cases.cases
            WHERE assigned_to = ${provider} AND NOT is_archived AND status IN ('ASSIGNED', 'IN_PROGRESS')
          ) AS counted
          FROM cases.provider_loads WHERE provider_id = ${provider}
        `
    )
    assert.strictEqual(loads[0]?.kept, loads[0]?.counted)
    assert.lengthOf(loads, 1)
  })
})
