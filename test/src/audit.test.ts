import { randomUUID } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fillDisk } from "@care/audit/testing"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { orderBody, placeOrder } from "./harness/placeOrder.ts"
import { runAudit, tamper } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

interface Listed {
  readonly service: string
  readonly kinds: ReadonlyArray<string>
  readonly id: string
  readonly action: string
  readonly actor: { readonly type: string; readonly id: string | null }
  readonly caseId: string | null
  readonly userId: string | null
  readonly organizationId: string
  readonly requestId: string
  readonly at: string
  readonly shown: ReadonlyArray<{ readonly caseId: string; readonly userId: string | null }>
}

// Ids of requests.
const ids = {
  ...{ made: randomUUID(), ordered: randomUUID(), byPatient: randomUUID(), byOperator: randomUUID() },
  ...{ byOwner: randomUUID(), byStranger: randomUUID(), refused: randomUUID(), withRoom: randomUUID() }
}

testsOn(Suite.shared, "the audit", (it) => {
  const listed = ({ key }: Clinic, query = "") =>
    Effect.map(
      call("GET", `/api/v1/audit-records?limit=100${query}`, { key }),
      ({ json }): ReadonlyArray<Listed> => json.data
    )

  const has = (action: string) => (records: ReadonlyArray<Listed>) => records.some((record) => record.action === action)

  const readCase = ({ key }: Clinic, caseId: string, id: string) =>
    call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key, headers: { "x-request-id": id } })

  it("a partner sees who read and changed the data of its own patients only", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const read = yield* readCase(clinic, caseId, ids.byOwner)
    const userId: string = read.json.caseDetail.submitter.id
    const { accessToken } = yield* signIn(clinic.key, body.user.email)
    yield* call("GET", "/api/v1/users/me", { key: clinic.key, headers: { authorization: `Bearer ${accessToken}` } })
    assert.strictEqual((yield* readCase(other, caseId, ids.byStranger)).status, 403)
    yield* admin("GET", `/cases/${caseId}`)

    const records = yield* until(listed(clinic), (found) => has("PROFILE_READ")(found) && has("CASE_READ")(found))
    const by = (action: string) => records.find((record) => record.action === action) ?? assert.fail(action)
    const partner = { type: "API_KEY", id: clinic.keyId }
    assert.deepInclude(by("CASE_CREATED"), {
      caseId,
      userId,
      actor: partner,
      service: "cases",
      kinds: ["CASES", "FORMS"]
    })
    assert.deepInclude(by("SIGNED_IN"), { userId, actor: partner, service: "auth" })
    assert.deepInclude(by("PROFILE_READ"), { userId, actor: { type: "PATIENT", id: userId } })
    const reads = yield* until(listed(clinic, `&caseId=${caseId}&action=CASE_READ`), (found) => found.length === 2)
    assert.deepStrictEqual(
      reads.map(({ actor }) => actor),
      [{ type: "OPERATOR", id: null }, partner]
    )
    assert.strictEqual(reads[1]?.requestId, ids.byOwner)
    assert.deepStrictEqual(yield* listed(clinic, `&userId=${userId}&to=2026-01-01T00:00:00Z`), [])

    assert.deepStrictEqual(
      (yield* listed(other)).map(({ action }) => action),
      ["KEY_ISSUED"]
    )
    assert.deepStrictEqual(yield* listed(other, `&caseId=${caseId}`), [])
    // Without an organization only chains are listed, and a chain is made within a second.
    const ofCase = Effect.map(
      admin("GET", `/audit?caseId=${caseId}&limit=100`),
      ({ json }): ReadonlyArray<Listed> => json.data
    )
    const all = yield* until(ofCase, (found) => reads.every(({ id }) => found.some((record) => record.id === id)))
    assert.isFalse(all.some(({ requestId }) => requestId === ids.byStranger))
  })

  it("a record has the patient, the actor, the action, the request, the time and the kinds of data, and nothing else", function* () {
    const clinic = yield* makeClinic
    const { organizationId } = clinic
    const body = caseBody(clinic)
    const since = new Date().toISOString()
    const created = yield* call("POST", "/api/v1/cases", {
      key: clinic.key,
      headers: { "x-request-id": ids.made },
      body
    })
    const caseId: string = created.json.data.caseId
    yield* placeOrder(clinic, caseId, orderBody(), {}, { "x-request-id": ids.ordered })
    const { accessToken, patientId: userId } = yield* signIn(clinic.key, body.user.email)
    const headers = { authorization: `Bearer ${accessToken}`, "x-request-id": ids.byPatient }
    yield* call("GET", "/api/v1/users/me", { key: clinic.key, headers })
    yield* call("GET", `/admin/v1/cases/${caseId}`, {
      isOperator: true,
      headers: { "x-request-id": ids.byOperator }
    })
    const records = yield* until(
      listed(clinic),
      (found) => has("PROFILE_READ")(found) && has("CASE_READ")(found) && has("ORDER_CHANGED")(found)
    )
    const by = (action: string) => records.find((record) => record.action === action) ?? assert.fail(action)
    const partner = { type: "API_KEY", id: clinic.keyId }
    const subject = { organizationId, userId }
    const expected: ReadonlyArray<Omit<Listed, "id" | "at" | "kinds" | "shown">> = [
      {
        ...subject,
        service: "cases",
        action: "CASE_CREATED",
        actor: partner,
        caseId,
        requestId: ids.made
      },
      {
        ...subject,
        service: "auth",
        action: "PATIENT_ENROLLED",
        actor: { type: "SERVICE", id: "cases" },
        caseId: null,
        requestId: ids.made
      },
      {
        ...subject,
        service: "cases",
        action: "ORDER_CHANGED",
        actor: { type: "JOB", id: "order-hand-over" },
        caseId,
        requestId: ids.ordered
      },
      {
        ...subject,
        service: "auth",
        action: "PROFILE_READ",
        actor: { type: "PATIENT", id: userId },
        caseId: null,
        requestId: ids.byPatient
      },
      {
        ...subject,
        service: "cases",
        action: "CASE_READ",
        actor: { type: "OPERATOR", id: null },
        caseId,
        requestId: ids.byOperator
      }
    ]
    for (const record of expected) {
      const { at, id, kinds, shown, ...recorded } = by(record.action)
      assert.deepStrictEqual(shown, [])
      assert.deepStrictEqual(recorded, record)
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.isTrue(at >= since && at <= new Date().toISOString(), at)
      assert.isNotEmpty(kinds)
    }
    // No record contains the data itself.
    const text = JSON.stringify(records)
    for (const personal of [body.user.firstName, body.user.email, "How much"]) assert.notInclude(text, personal)
  })

  it("each filter, and all together, find the same records for the partner and the operator, and no foreign ones", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const { organizationId } = clinic
    for (let count = 0; count < 2; count += 1) yield* createCase(clinic, caseBody(clinic))
    yield* createCase(other, caseBody(other))
    const all = yield* listed(clinic)
    const created = all.filter(({ action }) => action === "CASE_CREATED")
    const [newer, older] = created
    if (newer === undefined || older === undefined) return assert.fail("There are not two cases")
    const cases: ReadonlyArray<readonly [string, (record: Listed) => boolean]> = [
      ["", () => true],
      [`&caseId=${older.caseId}`, ({ caseId }) => caseId === older.caseId],
      [`&userId=${newer.userId}`, ({ userId }) => userId === newer.userId],
      ["&action=CASE_CREATED", ({ action }) => action === "CASE_CREATED"],
      [`&from=${newer.at}`, ({ at }) => at >= newer.at],
      [`&to=${newer.at}`, ({ at }) => at < newer.at],
      [
        `&caseId=${older.caseId}&userId=${older.userId}&action=CASE_CREATED&from=${older.at}&to=${newer.at}`,
        ({ id }) => id === older.id
      ],
      [`&caseId=${older.caseId}&userId=${newer.userId}`, () => false]
    ]
    for (const [query, isFound] of cases) {
      const ownRecords = (yield* listed(clinic, query)).filter(({ id }) => all.some((record) => record.id === id))
      assert.deepStrictEqual(ownRecords, all.filter(isFound), query)
      const answer = (yield* admin("GET", `/audit?limit=100&organizationId=${organizationId}${query}`)).json
      const shownRecords = answer.data.filter(({ id }: Listed) => all.some((record) => record.id === id))
      assert.deepStrictEqual(shownRecords, all.filter(isFound), query)
      // A partner cannot choose the organization of the records.
      const foreign = yield* listed(other, `${query}&organizationId=${organizationId}`)
      assert.isTrue(foreign.every((record) => record.organizationId === other.organizationId))
    }
  })

  it("the read of a list is one record, which names all patients shown, and is found by each of them", function* () {
    const clinic = yield* makeClinic
    for (let count = 0; count < 3; count += 1) yield* createCase(clinic, caseBody(clinic))
    const created = (yield* listed(clinic)).filter(({ action }) => action === "CASE_CREATED")
    assert.lengthOf(created, 3)
    yield* admin("GET", `/cases?organizationId=${clinic.organizationId}`)
    const ofList = (query: string) => listed(clinic, `&action=CASE_FOUND${query}`)
    const [record, ...others] = yield* until(ofList(""), ({ length }) => length > 0)
    assert.deepStrictEqual(others, [])
    assert.deepInclude(record, { caseId: null, userId: null })
    assert.sameDeepMembers(
      [...(record?.shown ?? [])],
      created.map(({ caseId, userId }) => ({ caseId, userId }))
    )
    const [first, second] = created
    for (const query of [
      `&userId=${first?.userId}`,
      `&caseId=${second?.caseId}`,
      `&caseId=${second?.caseId}&userId=${second?.userId}`
    ]) {
      assert.deepStrictEqual(
        (yield* ofList(query)).map(({ id }) => id),
        [record?.id],
        query
      )
    }
    assert.deepStrictEqual(yield* ofList(`&caseId=${first?.caseId}&userId=${second?.userId}`), [])
  })

  it("a check whether a user exists is recorded for the organization's own users, and for no other organization", function* () {
    const [clinic, other] = [yield* makeClinic, yield* makeClinic]
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const check = ({ key }: Clinic) => call("GET", `/api/v1/check-user?email=${body.user.email}`, { key })
    // These requests come first, so that the list is complete when the recorded one shows.
    assert.strictEqual((yield* check(other)).status, 200)
    assert.strictEqual((yield* readCase(other, caseId, ids.refused)).status, 403)
    yield* createCase(other, caseBody(other))
    assert.strictEqual((yield* check(clinic)).status, 200)
    const found = yield* until(listed(clinic, "&action=PATIENT_FOUND"), ({ length }) => length > 0)
    assert.deepStrictEqual(
      found.map(({ actor, kinds, service }) => ({ actor, kinds, service })),
      [{ actor: { type: "API_KEY", id: clinic.keyId }, kinds: ["PROFILE"], service: "auth" }]
    )
    const actions = (yield* listed(other)).map(({ action }) => action)
    assert.sameMembers(actions, ["KEY_ISSUED", "CASE_CREATED", "PATIENT_ENROLLED"])
  })

  it("a page continues where the previous one ended, and invalid parameters are refused", function* () {
    const clinic = yield* makeClinic
    yield* createCase(clinic, caseBody(clinic))
    const all = yield* listed(clinic)
    assert.isAbove(all.length, 1)
    const first = (yield* call("GET", "/api/v1/audit-records?limit=1", { key: clinic.key })).json
    assert.deepInclude(first, { status: 200, success: true })
    const next = `/api/v1/audit-records?limit=1&cursor=${first.nextCursor}`
    const second = (yield* call("GET", next, { key: clinic.key })).json
    const ids = [first.data[0].id, second.data[0].id]
    assert.notStrictEqual(ids[0], ids[1])
    for (const query of [
      "limit=0",
      "userId=7",
      "caseId=7",
      "actorId=7",
      "action=READ",
      "from=today",
      "to=today",
      "cursor=7"
    ]) {
      const refused = yield* call("GET", `/api/v1/audit-records?${query}`, { key: clinic.key })
      assert.strictEqual(refused.status, 400, query)
      assert.strictEqual((yield* admin("GET", `/audit?${query}`)).status, 400, query)
    }
  })

  it("a change that is repeated with its idempotency key is recorded once", function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic)
    yield* createCase(clinic, body)
    const change = call("POST", "/api/v1/users", {
      key: clinic.key,
      headers: { "idempotency-key": "once" },
      body: { action: "UPDATE_PROFILE", data: { email: body.user.email, city: "Oakland" } }
    })
    for (let count = 0; count < 3; count += 1) assert.strictEqual((yield* change).status, 200)
    const changes = (yield* listed(clinic, "&action=PROFILE_CHANGED")).filter(({ actor }) => actor.type === "API_KEY")
    assert.lengthOf(changes, 1)
  })

  it("reads that cannot be recorded are refused as temporarily unavailable, while changes continue", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    yield* expectAnswer(
      Effect.scoped(
        Effect.gen(function* () {
          yield* fillDisk(100)
          assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
          assert.strictEqual((yield* admin("GET", `/cases/${caseId}`)).status, 503)
          return yield* readCase(clinic, caseId, ids.refused)
        })
      ),
      503,
      {
        status: 503,
        success: false,
        message: "Service unavailable",
        requestId: ids.refused
      }
    )
    assert.strictEqual((yield* readCase(clinic, caseId, ids.withRoom)).status, 200)
    const reads = yield* until(listed(clinic, `&caseId=${caseId}&action=CASE_READ`), (found) => found.length > 0)
    assert.deepStrictEqual(
      reads.map(({ requestId }) => requestId),
      [ids.withRoom]
    )
  })

  it("care audit verify finds changed, removed and inserted records; removed newest ones by stored heads", function* () {
    yield* Effect.gen(function* () {
      const clinic = yield* makeClinic
      const { organizationId } = clinic
      const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
      for (let count = 0; count < 5; count += 1) yield* readCase(clinic, caseId, `read-${count}`)
      const verify = (...flags: ReadonlyArray<string>) => runAudit("verify", "--organization", organizationId, ...flags)
      const linksOf = Effect.map(
        admin("GET", `/audit/links/cases/${organizationId}`),
        ({ json }): ReadonlyArray<{ readonly number: number; readonly recordId: string }> => json.data
      )
      const links = yield* until(linksOf, (found) => found.length >= 6)
      const at = (number: number) =>
        links.find((link) => link.number === number)?.recordId ?? assert.fail(`no ${number}`)
      assert.deepInclude(yield* verify(), { isGood: true })
      const headsFile = join(yield* temporaryFolder(), "heads.json")
      writeFileSync(headsFile, (yield* runAudit("heads", "--organization", organizationId)).out)
      assert.deepInclude(yield* verify("--heads", headsFile), { isGood: true })

      yield* tamper((sql) => sql`UPDATE cases.audit_entries SET user_id = NULL WHERE id = ${at(2)}`)
      yield* tamper((sql) => sql`DELETE FROM cases.audit_entries WHERE id = ${at(3)}`)
      const found = yield* verify()
      assert.isFalse(found.isGood)
      assert.include(found.out, `record 2 was changed: ${at(2)}`)
      assert.include(found.out, "record 3 was removed")
      assert.lengthOf(found.out.split("\n"), 3)

      const inserted = crypto.randomUUID()
      yield* tamper(
        (sql) => sql`
          INSERT INTO cases.audit_records (organization_id, id, at, action, actor_type, case_id, request_id, kinds)
          SELECT organization_id, ${inserted}, at, action, actor_type, case_id, 'none', '{CASES}'
          FROM cases.audit_entries WHERE id = ${at(1)}
        `
      )
      assert.include((yield* verify()).out, `inserted that is in no chain: ${inserted}`)

      const twice = crypto.randomUUID()
      yield* tamper(
        (sql) => sql`
          INSERT INTO cases.audit_entries (organization_id, number, id, at, month, kinds, hash, action, actor_type)
          SELECT organization_id, number, ${twice}, at, 299901, kinds, hash, action, actor_type
          FROM cases.audit_entries WHERE id = ${at(1)}
        `
      )
      assert.include((yield* verify()).out, `record 1 is there twice: ${twice}`)

      const unreadable = crypto.randomUUID()
      yield* tamper(
        (sql) => sql`
          INSERT INTO cases.audit_waiting (organization_id, id, at, action, actor_type, request_id, kinds)
          VALUES (${organizationId}, ${unreadable}, now(), 'CASE_READ', 'NOBODY', 'none', '{}')
        `
      )
      const all = (yield* verify()).out
      assert.include(all, `no service writes was inserted that is in no chain: ${unreadable}`)
      assert.include(all, `a record was inserted that is in no chain: ${inserted}`)
      assert.strictEqual((yield* admin("GET", `/audit?organizationId=${organizationId}`)).status, 200)
      assert.notInclude(all, "the end of the chain")
      const stopped = yield* makeClinic
      yield* createCase(stopped, caseBody(stopped))
      const verifyStopped = runAudit("verify", "--organization", stopped.organizationId)
      const stoppedLinks = admin("GET", `/audit/links/cases/${stopped.organizationId}`)
      yield* until(stoppedLinks, ({ json }) => json.data.length > 0)
      assert.deepInclude(yield* verifyStopped, { isGood: true })
      yield* tamper((sql) => sql`DELETE FROM cases.audit_heads WHERE organization_id = ${stopped.organizationId}`)
      assert.include((yield* verifyStopped).out, "the end of the chain was removed")

      // A removed record and link are found by the end of the chain, and if that is changed, too, by the stored end.
      const last = links.length
      yield* tamper((sql) => sql`DELETE FROM cases.audit_entries WHERE id = ${at(last)}`)
      assert.include((yield* verify()).out, `record ${last} was removed`)
      yield* tamper(
        (sql) => sql`
          UPDATE cases.audit_heads h SET count = e.number, hash = e.hash FROM cases.audit_entries e
          WHERE e.organization_id = h.organization_id AND e.id = ${at(last - 1)}
        `
      )
      assert.notInclude((yield* verify()).out, `record ${last} was removed`)
      assert.include((yield* verify("--heads", headsFile)).out, `record ${last} was removed`)
      // Ids match in any letter case, also those of the stored ends.
      const inUpperCase = yield* runAudit(
        "verify",
        "--organization",
        organizationId.toUpperCase(),
        "--heads",
        headsFile
      )
      assert.include(inUpperCase.out, `record ${last} was removed`)
    }).pipe(Effect.scoped)
  })

  it("care audit heads and verify fail for an unknown organization, and succeed for one without records", function* () {
    yield* Effect.gen(function* () {
      const unknown = crypto.randomUUID()
      const headsFile = join(yield* temporaryFolder(), "heads.json")
      writeFileSync(headsFile, (yield* runAudit("heads")).out)
      for (const command of [["heads"], ["verify"], ["verify", "--heads", headsFile]]) {
        const { isGood, out, errors: told } = yield* runAudit(...command, "--organization", unknown)
        assert.deepStrictEqual([isGood, out], [false, ""])
        assert.include(
          told,
          `There are no records of the organization ${unknown} (Organization not found: No organization has the id ${unknown}.): find its id with care org list.`
        )
      }

      const { json } = yield* admin("POST", "/organizations", { name: "Nothing Yet" })
      assert.isTrue((yield* runAudit("heads", "--organization", json.id)).isGood)
      const verified = yield* runAudit("verify", "--organization", json.id)
      assert.deepInclude(verified, { isGood: true, out: "Chains verified: 4. No changes found." })
    }).pipe(Effect.scoped)
  })
})
