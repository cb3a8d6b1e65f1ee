import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase, jobsDone } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, decisionBody, makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const unknownId = "00000000-0000-4000-8000-000000000000"

testsOn(Suite.layer, "the search of cases", (it) => {
  const newCase = (clinic: Clinic, changes: Readonly<Record<string, unknown>> = {}) =>
    Effect.map(
      createCase(clinic, caseBody(clinic, { isTest: true, ...changes })),
      ({ json }): string => json.data.caseId
    )
  const read = (caseId: string) => Effect.map(admin("GET", `/cases/${caseId}`), ({ json }) => json)
  const addProvider = ({ organizationId }: Clinic, name: string) =>
    addStaff({ organizationId }, { email: `${name}.${organizationId}@example.com` })
  const search = (query: Readonly<Record<string, string>>) => admin("GET", `/cases?${new URLSearchParams(query)}`)
  const idsOf = (query: Readonly<Record<string, string>>) =>
    Effect.map(search(query), ({ json }): ReadonlyArray<string> => json.data.map(({ id }: { id: string }) => id))
  /** Closes a case directly in the database. */
  const close = (id: string) =>
    inDatabase(
      "cases",
      (sql) => sql`UPDATE cases.cases SET is_archived = true, closed_at = now(), updated_at = now() WHERE id = ${id}`
    )

  it("a found case has the same fields as the case itself", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic, "jane")
    const caseId = yield* newCase(clinic)
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
    yield* close(caseId)
    const found = yield* search({ organizationId: clinic.organizationId })
    const { shortId, organizationId, status, type, title, isTest, isArchived, ...rest } = yield* read(caseId)
    const { assignedTo, closedAt, createdAt, submitter, updatedAt } = rest
    assert.isString(closedAt)
    assert.strictEqual(assignedTo.id, provider)
    assert.deepStrictEqual(found.json, {
      data: [
        {
          id: caseId,
          shortId,
          organizationId,
          status,
          type,
          title,
          isTest,
          isArchived,
          createdAt,
          updatedAt,
          closedAt,
          waitingSince: null,
          productNames: ["Semaglutide program"],
          hasOpenEscalation: false,
          dueDate: null,
          patientState: "CA",
          submitter,
          assignedTo
        }
      ],
      nextCursor: null
    })
  })

  it("a case says since when it waits, for a provider or for their work, and whether an escalation is open", function* () {
    const clinic = yield* makeClinic
    const provider = yield* addProvider(clinic, "jane")
    const caseId = yield* newCase(clinic)
    const found = Effect.map(search({ organizationId: clinic.organizationId }), ({ json }) => json.data[0])
    const waiting = yield* found
    assert.deepInclude(waiting, { status: "OPEN", waitingSince: waiting.createdAt, hasOpenEscalation: false })
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: provider })
    const assigned = yield* found
    assert.deepInclude(assigned, { status: "ASSIGNED", waitingSince: assigned.updatedAt })
    const { inProgressAt } = (yield* admin("POST", `/cases/${caseId}/start`)).json
    const escalations = [{ type: "support", title: "Cancellation" }]
    const body = { action: "ADD_ESCALATION", escalations }
    const added = yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
    assert.deepInclude(yield* found, { status: "IN_PROGRESS", waitingSince: inProgressAt, hasOpenEscalation: true })
    yield* admin("POST", `/escalations/${added.json.data.escalations[0].id}/complete`)
    yield* admin("POST", `/cases/${caseId}/decisions`, decisionBody(provider))
    assert.deepInclude(yield* found, { status: "APPROVED", waitingSince: null, hasOpenEscalation: false })
  })

  it("with order=OLDEST every filter finds the same cases in the opposite order, on pages of any length", function* () {
    const clinic = yield* makeClinic
    const jane = yield* addProvider(clinic, "jane")
    const { user } = caseBody(clinic)
    const cases = [
      yield* newCase(clinic),
      yield* newCase(clinic, { status: "ABANDONED", user }),
      yield* newCase(clinic),
      yield* newCase(clinic, { user, forceCreate: true }),
      yield* newCase(clinic)
    ]
    for (const id of cases.slice(0, 2)) yield* admin("POST", `/cases/${id}/assign`, { providerId: jane })
    const { organizationId } = clinic
    for (const filter of [
      {},
      { status: "OPEN" },
      { assignedTo: jane },
      { email: user.email },
      { updatedSince: "2020-01-01T00:00:00Z" }
    ]) {
      const query = { organizationId, ...filter }
      const newest = yield* idsOf({ ...query, order: "newest" })
      assert.isNotEmpty(newest)
      assert.deepStrictEqual(yield* idsOf(query), newest)
      const listedIds: Array<string> = []
      let cursor: string | undefined
      do {
        const { json } = yield* search({
          ...query,
          order: "OLDEST",
          limit: "2",
          ...(cursor !== undefined && { cursor })
        })
        listedIds.push(...json.data.map(({ id }: { id: string }) => id))
        cursor = json.nextCursor ?? undefined
      } while (cursor !== undefined)
      assert.deepStrictEqual(listedIds, newest.toReversed(), JSON.stringify(filter))
    }
  })

  it("with order=URGENCY the overdue cases and those with an open escalation come first, and are in their places again when they are done", function* () {
    const clinic = yield* makeClinic
    const { organizationId, productId } = clinic
    const cases: Array<string> = []
    for (let made = 0; made < 5; made += 1) cases.push(yield* newCase(clinic))
    const [calm = "", due = "", later = "", closed = "", escalated = ""] = cases
    const act = (caseId: string, body: object) =>
      call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: { action: "UPDATE_CASE_PRODUCT", ...body } })
    const dueOn = (caseId: string, dueDate: string) => act(caseId, { caseProductInput: { productId, dueDate } })
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    for (const id of [due, later, closed]) assert.strictEqual((yield* dueOn(id, tomorrow)).status, 200)
    // A day passes.
    yield* inDatabase(
      "cases",
      (sql) => sql`
        WITH due AS (UPDATE cases.case_products SET due_date = due_date - 3 WHERE case_id = ANY(${[due, closed]}::uuid[]))
        UPDATE cases.cases SET due_on = due_on - 3 WHERE id = ANY(${[due, closed]}::uuid[])
      `
    )
    const escalations = [{ type: "support", title: "Cancellation" }]
    const body = { action: "ADD_ESCALATION", escalations }
    const added = yield* call("POST", `/api/v1/cases/${escalated}`, { key: clinic.key, body })
    const byUrgency = Effect.gen(function* () {
      const listed: Array<readonly [string, boolean]> = []
      let cursor: string | undefined
      do {
        const more = cursor === undefined ? {} : { cursor }
        const { json } = yield* search({ organizationId, order: "urgency", limit: "2", ...more })
        for (const { dueDate, id } of json.data) listed.push([id, dueDate !== null])
        cursor = json.nextCursor ?? undefined
      } while (cursor !== undefined)
      return listed
    })
    assert.deepStrictEqual(yield* byUrgency, [
      [due, true],
      [closed, true],
      [escalated, false],
      [calm, false],
      [later, true]
    ])
    yield* admin("POST", `/escalations/${added.json.data.escalations[0].id}/complete`)
    yield* act(closed, { caseProductInput: { productId, status: "CLOSE", reason: "Done" } })
    assert.deepStrictEqual(yield* byUrgency, [
      [due, true],
      [calm, false],
      [later, true],
      [closed, false],
      [escalated, false]
    ])
    const unbound = yield* search({ order: "URGENCY" })
    assert.deepStrictEqual([unbound.status, unbound.json.detail], [400, "order, URGENCY needs organizationId"])
  })

  it("each filter finds exactly the matching cases, alone and combined, newest first", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const [jane, john] = [yield* addProvider(clinic, "jane"), yield* addProvider(clinic, "john")]
    const open = yield* newCase(clinic)
    const abandoned = yield* newCase(clinic, { status: "ABANDONED" })
    const assigned = yield* newCase(clinic)
    const closed = yield* newCase(clinic)
    const foreign = yield* newCase(other)
    for (const [id, providerId] of [
      [assigned, jane],
      [closed, john]
    ]) {
      yield* admin("POST", `/cases/${id}/assign`, { providerId })
    }
    yield* close(closed)
    const ofClinic = { organizationId: clinic.organizationId }
    const { email } = (yield* read(assigned)).submitter
    const { updatedAt } = yield* read(assigned)
    const expected: ReadonlyArray<readonly [Readonly<Record<string, string>>, ReadonlyArray<string>]> = [
      [ofClinic, [closed, assigned, abandoned, open]],
      [{ organizationId: other.organizationId }, [foreign]],
      [{ organizationId: unknownId }, []],
      [{ ...ofClinic, status: "open" }, [open]],
      [{ ...ofClinic, status: "ASSIGNED" }, [closed, assigned]],
      [{ ...ofClinic, status: "active" }, [closed, assigned, open]],
      [{ ...ofClinic, status: "ACTIVE", isArchived: "false" }, [assigned, open]],
      [{ ...ofClinic, isArchived: "true" }, [closed]],
      [{ ...ofClinic, isArchived: "false" }, [assigned, abandoned, open]],
      [{ ...ofClinic, status: "ASSIGNED", isArchived: "false" }, [assigned]],
      [{ ...ofClinic, assignedTo: jane }, [assigned]],
      [{ assignedTo: john.toUpperCase() }, [closed]],
      [{ assignedTo: john, status: "OPEN" }, []],
      [{ assignedTo: unknownId }, []],
      [{ organizationId: other.organizationId, assignedTo: jane }, []],
      [{ ...ofClinic, email: ` ${email.toUpperCase()}` }, [assigned]],
      [{ email, organizationId: other.organizationId }, []],
      [{ email, isArchived: "true" }, []],
      [{ ...ofClinic, email: "nobody@example.com" }, []],
      [{ ...ofClinic, updatedSince: updatedAt }, [closed, assigned]],
      [{ ...ofClinic, updatedSince: updatedAt, isArchived: "false" }, [assigned]],
      [{ ...ofClinic, updatedSince: "2099-01-01T00:00:00Z" }, []],
      [{ assignedTo: jane, updatedSince: updatedAt }, [assigned]],
      [{ assignedTo: jane, updatedSince: "2099-01-01T00:00:00Z" }, []],
      [
        { ...ofClinic, status: "ASSIGNED", isArchived: "false", assignedTo: jane, email, updatedSince: updatedAt },
        [assigned]
      ],
      [{ ...ofClinic, status: "ASSIGNED", isArchived: "false", assignedTo: john, email }, []]
    ]
    for (const [query, ids] of expected) assert.deepStrictEqual(yield* idsOf(query), ids, JSON.stringify(query))
    assert.deepStrictEqual((yield* idsOf({})).slice(0, 5), [foreign, closed, assigned, abandoned, open])
    assert.deepStrictEqual((yield* idsOf({ status: "ABANDONED" })).slice(0, 1), [abandoned])
  })

  it("an email finds a person's cases at all organizations or at one, and a new email at once", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const { user } = caseBody(clinic)
    const ownCase = yield* newCase(clinic, { user })
    const foreignCase = yield* newCase(other, { user })
    assert.deepStrictEqual(yield* idsOf({ email: user.email }), [foreignCase, ownCase])
    assert.deepStrictEqual(yield* idsOf({ email: user.email, organizationId: clinic.organizationId }), [ownCase])
    const newEmail = `new.${user.email}`
    const data = { currentEmail: user.email, newEmail }
    const changed = yield* call("POST", "/api/v1/users", { key: clinic.key, body: { action: "UPDATE_EMAIL", data } })
    assert.strictEqual(changed.status, 200)
    assert.deepStrictEqual(yield* idsOf({ email: newEmail }), [ownCase])
    assert.deepStrictEqual(yield* idsOf({ email: user.email }), [foreignCase])
  })

  it("pages lead to every case once, though others are added and change meanwhile", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    // Several cases share a time of creation, in several states.
    const caseIds = yield* Effect.all(
      Array.from({ length: 12 }, (_, index) => newCase(clinic, { status: index % 2 === 0 ? "OPEN" : "ABANDONED" })),
      { concurrency: "unbounded" }
    )
    yield* inDatabase(
      "cases",
      (sql) => sql`
          UPDATE cases.cases SET created_at = '2026-01-01', is_archived = short_id > 'M' WHERE id = ANY(${caseIds}::uuid[])
        `
    )
    for (const filter of [{}, { updatedSince: "2020-01-01T00:00:00Z" }]) {
      const listedIds: Array<string> = []
      let cursor: string | undefined
      do {
        const query = { organizationId, limit: "5", ...filter, ...(cursor !== undefined && { cursor }) }
        const { json } = yield* search(query)
        listedIds.push(...json.data.map(({ id }: { id: string }) => id))
        cursor = json.nextCursor ?? undefined
        if (listedIds.length === 5) yield* newCase(clinic)
      } while (cursor !== undefined)
      assert.deepStrictEqual(
        listedIds.filter((id) => caseIds.includes(id)),
        [...caseIds].sort().reverse()
      )
      assert.strictEqual(new Set(listedIds).size, listedIds.length)
    }
  })

  it("pages find the matching cases among more than a thousand changed ones, without empty pages", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const old = yield* newCase(clinic, { status: "ABANDONED" })
    // 1,500 old cases that changed long ago, and 1,200 even older ones that changed lately, all of one patient.
    yield* inDatabase(
      "cases",
      (sql) => sql`
          INSERT INTO cases.cases (
            organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
          )
          SELECT organization_id, gen_random_uuid(), 'X' || n, user_id, '', status, type, true, false,
                 '2020-01-01'::timestamptz - n * interval '1 minute',
                 CASE WHEN n <= 1500 THEN '2021-01-01' ELSE '2026-01-01' END::timestamptz
          FROM cases.cases, generate_series(1, 2700) AS n WHERE id = ${old}
        `
    )
    const listedIds: Array<string> = []
    const lengths: Array<number> = []
    let cursor: string | undefined
    do {
      const query = { organizationId, limit: "100", updatedSince: "2025-01-01T00:00:00Z" }
      const { json } = yield* search({ ...query, ...(cursor !== undefined && { cursor }) })
      lengths.push(json.data.length)
      listedIds.push(...json.data.map(({ id }: { id: string }) => id))
      cursor = json.nextCursor ?? undefined
    } while (cursor !== undefined)
    assert.strictEqual(listedIds[0], old)
    assert.strictEqual(new Set(listedIds).size, 1201)
    // Only one of the first thousand candidates matches.
    assert.deepStrictEqual(lengths.slice(0, 3), [1, 100, 100])
  })

  it("a deleted copy of a person is fetched again", function* () {
    const clinic = yield* makeClinic
    yield* addProvider(clinic, "jane")
    const caseId = yield* newCase(clinic, { isTest: false })
    yield* jobsDone("cases", "assignment")
    const { organizationId } = clinic
    const [before] = (yield* search({ organizationId })).json.data
    assert.strictEqual(before.id, caseId)
    yield* inDatabase("cases", (sql) => sql`DELETE FROM cases.people WHERE organization_id = ${organizationId}`)
    const [after] = (yield* search({ organizationId })).json.data
    // The state is not fetched before the list, but is there for the next one.
    assert.deepStrictEqual([after, after.assignedTo.firstName], [{ ...before, patientState: null }, "Jane"])
    assert.deepStrictEqual((yield* search({ organizationId })).json.data, [before])
  })

  it("400 names each invalid parameter", function* () {
    for (const [parameter, value] of [
      ["organizationId", "7"],
      ["status", "close"],
      ["isArchived", "maybe"],
      ["assignedTo", "me"],
      ["email", "nobody"],
      ["updatedSince", "yesterday"],
      ["limit", "101"],
      ["limit", "0"],
      ["cursor", "x"],
      ["order", "RANDOM"]
    ] as const) {
      const refused = yield* search({ [parameter]: value })
      assert.strictEqual(refused.status, 400, parameter)
      assert.match(refused.json.detail, new RegExp(`^${parameter}, `))
    }
    const both = yield* search({ status: "close", updatedSince: "yesterday" })
    assert.match(both.json.detail, /status, .*updatedSince, /)
  })
})
