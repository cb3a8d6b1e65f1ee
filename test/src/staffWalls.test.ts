import type { StaffRole } from "@care/domain/auth"
import type { Staff } from "@care/domain/http"
import { assert } from "@effect/vitest"
import { Effect, Record, Struct } from "effect"
import type { Contract } from "../operations/contracts.ts"
import { type Answer, admin } from "./harness/call.ts"
import { callAs, sendAs, serviceOf, signedIn } from "./harness/callAs.ts"
import { inDatabase } from "./harness/database.ts"
import {
  addStaff,
  type Clinic,
  caseBody,
  createCase,
  decisionBody,
  makeClinic,
  newPatient
} from "./harness/fixtures.ts"
import { fixturesOf, patientsNamed } from "./harness/fixturesOf.ts"
import { untilAllEnded } from "./harness/jobsOf.ts"
import { targetMarker, unknownFixtures } from "./harness/makeTarget.ts"
import { Suite } from "./harness/Suite.ts"
import { ofPerson, staffOperations } from "./harness/staffOperations.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { untilStaffKnown } from "./harness/untilStaffKnown.ts"

const memberRoles = ["PROVIDER", "SUPPORT", "THIRD_PARTY_ADMIN", "ADMIN", "DEVELOPER"] as const

type Team = Readonly<Record<StaffRole, Staff>>

/** Makes a signed-in person of each role. The provider may be one that is there. */
const makeTeam = Effect.fnUntraced(function* (clinic: Pick<Clinic, "organizationId">, providerId?: string) {
  const member = (role: (typeof memberRoles)[number]) =>
    Effect.map(
      role === "PROVIDER" && providerId !== undefined
        ? Effect.succeed(providerId)
        : addStaff(clinic, { role, npi: "1234567893" }),
      (userId) => signedIn(userId, clinic.organizationId, role)
    )
  const members = yield* Effect.all(Record.fromIterableWith(memberRoles, (role) => [role, member(role)]))
  const operator = signedIn("7b241101-e2bb-4255-8caf-4136c566a962", "00000000-0000-4000-8000-0000000c0de0", "OPERATOR")
  const team: Team = {
    PROVIDER: members["PROVIDER"] ?? operator,
    SUPPORT: members["SUPPORT"] ?? operator,
    THIRD_PARTY_ADMIN: members["THIRD_PARTY_ADMIN"] ?? operator,
    ADMIN: members["ADMIN"] ?? operator,
    DEVELOPER: members["DEVELOPER"] ?? operator,
    OPERATOR: operator
  }
  return team
})

const operations = staffOperations.filter(({ contract }) => serviceOf(contract) !== undefined)

// The answer of `caseBody`.
const answer185 = `"answer":"185"`

const textOf = ({ json }: Answer) => JSON.stringify(json)

const codeOf = ({ json, status }: Answer) => [status, json.code]

testsOn(Suite.shared, "what staff may do in services", (it) => {
  it("every operation is done for the roles that may call it, and refused to all others, without the gateway's checks", function* () {
    const clinic = yield* makeClinic
    const fixtures = yield* fixturesOf(clinic, patientsNamed(targetMarker), {
      otherOrganizationId: async () => clinic.organizationId
    })
    const team = yield* makeTeam(clinic, fixtures.providerId)
    yield* admin("PATCH", `/organizations/${clinic.organizationId}`, { supportMayReadAnswers: true })
    assert.isAbove(operations.length, 38)
    // What removes something of the others comes last.
    const isLast = ({ id }: Contract) => /\.(erase|removeUser|update|revoke)$/.test(id)
    const ordered = operations.toSorted((a, b) => Number(isLast(a.contract)) - Number(isLast(b.contract)))
    for (const { contract, permission } of ordered) {
      for (const role of [...memberRoles, "OPERATOR" as const]) {
        const request = yield* Effect.promise(async () => contract.entry.request(fixtures))
        const isMember = role !== "OPERATOR"
        const answer = yield* sendAs(team[role], contract, isMember ? ofPerson(contract, request) : request)
        const name = `${role} ${contract.id} ${textOf(answer).slice(0, 300)}`
        if (permission.roles.includes(role)) {
          // Nothing makes an erased patient, a started case or a completed one new for the next role.
          assert.include([200, 201, 204, 409], answer.status, name)
          if (memberRoles.find((member) => permission.roles.includes(member)) === role) {
            assert.notStrictEqual(answer.status, 409, name)
          }
        } else {
          assert.deepStrictEqual(codeOf(answer), [403, "ROLE_REFUSED"], name)
        }
      }
    }
  }, 120_000)

  it("no operation of staff shows or changes data of another organization: foreign ids are as unknown ones", function* () {
    const clinic = yield* makeClinic
    const fixtures = yield* fixturesOf(clinic, patientsNamed(targetMarker))
    const attackers = yield* makeTeam(yield* makeClinic)
    const everything = Effect.all([
      inDatabase(
        "cases",
        (sql) =>
          sql`SELECT id, activity_count, status, assigned_to FROM cases.cases WHERE organization_id = ${clinic.organizationId} ORDER BY id`
      ),
      inDatabase(
        "cases",
        (sql) => sql`SELECT id FROM cases.break_glass WHERE organization_id = ${clinic.organizationId}`
      ),
      inDatabase(
        "cases",
        (sql) => sql`SELECT id FROM cases.products WHERE organization_id = ${clinic.organizationId} ORDER BY id`
      ),
      inDatabase(
        "auth",
        (sql) => sql`SELECT * FROM auth.users WHERE organization_id = ${clinic.organizationId} ORDER BY id`
      ),
      inDatabase(
        "auth",
        (sql) =>
          sql`SELECT id, revoked_at FROM auth.api_keys WHERE organization_id = ${clinic.organizationId} ORDER BY id`
      ),
      inDatabase("auth", (sql) => sql`SELECT * FROM auth.organizations WHERE id = ${clinic.organizationId}`),
      inDatabase(
        "payments",
        (sql) =>
          sql`SELECT id, status FROM payments.payments WHERE organization_id = ${clinic.organizationId} ORDER BY id`
      ),
      inDatabase(
        "payments",
        (sql) => sql`SELECT * FROM payments.promo_codes WHERE organization_id = ${clinic.organizationId} ORDER BY id`
      )
    ])
    // The things of the requests are made first.
    const requests = []
    for (const { contract, permission } of operations) {
      const request = yield* Effect.promise(async () => contract.entry.request(fixtures))
      const unknown = yield* Effect.promise(async () => contract.entry.request(unknownFixtures(fixtures)))
      requests.push({ contract, permission, request, unknown })
    }
    yield* untilAllEnded(clinic)
    const before = yield* everything
    let attempts = 0
    for (const { contract, permission, request, unknown } of requests) {
      for (const role of memberRoles.filter((member) => permission.roles.includes(member))) {
        const answer = yield* sendAs(attackers[role], contract, ofPerson(contract, request))
        const name = `${role} ${contract.id} ${answer.status}`
        attempts += 1
        assert.notInclude(textOf(answer), targetMarker, name)
        const names = { ...request.query, ...request.body }
        if (contract.path.includes(":") || Object.hasOwn(names, "organizationId")) {
          assert.include([403, 404], answer.status, name)
          const other = yield* sendAs(attackers[role], contract, ofPerson(contract, unknown))
          const shapeOf = ({ json, status }: Answer) => [status, json.title, json.code]
          assert.deepStrictEqual(shapeOf(answer), shapeOf(other), name)
        } else if (contract.method === "GET") {
          assert.strictEqual(answer.status, 200, name)
          for (const item of answer.json.data) {
            assert.strictEqual(item.organizationId, attackers[role].organizationId, name)
          }
        }
      }
    }
    assert.isAbove(attempts, 50)
    assert.deepStrictEqual(yield* everything, before)
  })

  it("a promo code of an administrator is of their organization, and another organization's is refused", function* () {
    const [own, other] = [yield* makeClinic, yield* makeClinic]
    const { ADMIN } = yield* makeTeam(own)
    const create = (body: object) =>
      callAs(ADMIN, "payments", "POST", "/admin/v1/promo-codes", { flatDiscount: 5, ...body })
    const code = `STAFF${Date.now()}`
    const created = yield* create({ code })
    assert.deepStrictEqual([created.status, created.json.organizationId], [201, own.organizationId])
    const foreign = yield* create({ code: `${code}B`, organizationId: other.organizationId })
    assert.strictEqual(foreign.status, 404, textOf(foreign))
    const listed = yield* callAs(ADMIN, "payments", "GET", `/admin/v1/promo-codes?code=${code}`)
    assert.lengthOf(listed.json.data, 1)
  })

  // Makes two cases: one of each of two providers.
  const makeTwoProviders = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const providers = [yield* addStaff(clinic, { npi: "1" }), yield* addStaff(clinic, { npi: "2" })]
    const [one, two] = providers.map((id) => signedIn(id, clinic.organizationId, "PROVIDER"))
    if (one === undefined || two === undefined) return assert.fail("there are two providers")
    yield* untilStaffKnown(clinic)
    const make = Effect.suspend(() => createCase(clinic, caseBody(clinic)))
    const caseIds: ReadonlyArray<string> = [(yield* make).json.data.caseId, (yield* make).json.data.caseId]
    const byProvider = yield* until(
      Effect.map(
        Effect.forEach(caseIds, (id) => admin("GET", `/cases/${id}`)),
        (answers) => new Map(answers.map(({ json }) => [String(json.assignedTo?.id), String(json.id)]))
      ),
      (found) => providers.every((id) => found.has(id))
    )
    return {
      clinic,
      one,
      two,
      caseOfOne: byProvider.get(one.userId) ?? "",
      caseOfTwo: byProvider.get(two.userId) ?? ""
    }
  })

  const read = (staff: Staff, path: string) => callAs(staff, "cases", "GET", `/admin/v1${path}`)
  const write = (staff: Staff, path: string, body: unknown) => callAs(staff, "cases", "POST", `/admin/v1${path}`, body)

  it("a provider sees cases that are assigned to them, and another's only after breaking the glass, for an hour", function* () {
    const { caseOfOne, caseOfTwo, clinic, one, two } = yield* makeTwoProviders
    const lists = [
      "comments",
      "decisions",
      "attachments",
      "orders",
      "escalations",
      "form-responses",
      "calendar-events",
      "timeline",
      "activity"
    ]
    const paths = (id: string) => [`/cases/${id}`, ...lists.map((list) => `/cases/${id}/${list}`)]
    const statuses = (staff: Staff, id: string) =>
      Effect.forEach(paths(id), (path) => Effect.map(read(staff, path), ({ status }) => status))
    const all = (status: number) => Array.from({ length: 10 }, () => status)
    assert.deepStrictEqual(yield* statuses(one, caseOfOne), all(200))
    assert.deepStrictEqual(yield* statuses(one, caseOfTwo), all(404))
    for (const [path, body] of [
      ["start", {}],
      ["assign", { providerId: one.userId }],
      ["decisions", Struct.omit(decisionBody(one.userId), ["addedByUserId"])],
      ["comments", { text: "Hello", isRestricted: true }],
      ["attachments", { fileName: "a.txt", contentType: "text/plain", content: "aGVsbG8=" }],
      ["escalations", { escalations: [{ type: "clinical", title: "Lab Review" }] }]
    ] as const) {
      assert.strictEqual((yield* write(one, `/cases/${caseOfTwo}/${path}`, body)).status, 404, path)
    }

    const reason = `emergency ${caseOfTwo}`
    const opened = yield* write(one, `/cases/${caseOfTwo}/break-glass`, { reason })
    assert.deepInclude(opened.json, { caseId: caseOfTwo, userId: one.userId, reason }, textOf(opened))
    assert.deepStrictEqual(yield* statuses(one, caseOfTwo), all(200))
    assert.strictEqual(
      (yield* write(one, `/cases/${caseOfTwo}/comments`, { text: "Help", isRestricted: true })).status,
      201
    )
    // It is theirs alone, and of this case alone.
    const third = signedIn(yield* addStaff(clinic, {}), clinic.organizationId, "PROVIDER")
    assert.deepStrictEqual(yield* statuses(third, caseOfTwo), all(404))
    assert.deepStrictEqual(yield* statuses(two, caseOfOne), all(404))

    const recordsOf = admin("GET", `/audit?organizationId=${clinic.organizationId}&caseId=${caseOfTwo}`)
    const records = yield* until(
      recordsOf,
      ({ json }) =>
        json.data.filter(({ kinds }: { kinds: ReadonlyArray<string> }) => kinds.includes("BREAK_GLASS")).length === 10
    )
    const by = { type: "USER", id: one.userId }
    for (const record of records.json.data.filter(({ kinds }: { kinds: ReadonlyArray<string> }) =>
      kinds.includes("BREAK_GLASS")
    )) {
      assert.deepInclude(record, { action: "CASE_READ", actor: by })
    }
    const broken = records.json.data.filter(({ action }: { action: string }) => action === "GLASS_BROKEN")
    assert.lengthOf(broken, 1)
    assert.deepInclude(broken[0], { actor: by })
    const ownReads = yield* admin("GET", `/audit?organizationId=${clinic.organizationId}&caseId=${caseOfOne}`)
    assert.notInclude(textOf(ownReads), "BREAK_GLASS")

    const admins = yield* makeTeam(clinic)
    const listed = yield* read(admins.ADMIN, "/break-glass")
    assert.deepStrictEqual(listed.json.data, [opened.json])
    const [stored] = yield* inDatabase(
      "cases",
      (sql) => sql`SELECT reason FROM cases.break_glass WHERE id = ${opened.json.id}`
    )
    assert.notInclude(JSON.stringify(stored), reason)

    yield* inDatabase(
      "cases",
      (sql) => sql`UPDATE cases.break_glass SET expires_at = now() - interval '1 second' WHERE id = ${opened.json.id}`
    )
    assert.deepStrictEqual(yield* statuses(one, caseOfTwo), all(404))
  })

  it("the glass is broken with a reason, by the person alone, and operators name a member of the staff", function* () {
    const { caseOfTwo, clinic, one, two } = yield* makeTwoProviders
    const at = `/cases/${caseOfTwo}/break-glass`
    for (const body of [{}, { reason: " " }, { reason: "x".repeat(100_000) }]) {
      assert.strictEqual((yield* write(one, at, body)).status, 400, JSON.stringify(body).slice(0, 50))
    }
    assert.deepStrictEqual(codeOf(yield* write(one, at, { reason: "r", userId: two.userId })), [403, "REFUSED"])
    const foreign = yield* makeTeam(yield* makeClinic)
    assert.strictEqual((yield* write(foreign.PROVIDER, at, { reason: "r" })).status, 404)
    assert.strictEqual((yield* admin("POST", at, { reason: "r" })).status, 400)
    assert.strictEqual((yield* admin("POST", at, { reason: "r", userId: foreign.PROVIDER.userId })).status, 422)
    const named = yield* write(foreign.OPERATOR, at, { reason: "r", userId: one.userId })
    assert.deepInclude(named.json, { userId: one.userId, organizationId: clinic.organizationId }, textOf(named))
    assert.strictEqual((yield* read(one, `/cases/${caseOfTwo}`)).status, 200)
  })

  it("a provider finds their own and waiting cases, of patients where they are licensed, and support finds all", function* () {
    const { caseOfOne, caseOfTwo, clinic, one } = yield* makeTwoProviders
    const waiting: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    const elsewhere = {
      ...newPatient(),
      shippingAddress: { ...newPatient().shippingAddress, city: "Austin", state: "TX" }
    }
    const inTexas: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true, user: elsewhere }))).json.data
      .caseId
    const team = yield* makeTeam(clinic)
    const californian = signedIn(yield* addStaff(clinic, { licensedStates: ["CA"] }), clinic.organizationId, "PROVIDER")
    const ids = (staff: Staff, query = "") =>
      Effect.map(read(staff, `/cases?limit=100${query}`), ({ json }) =>
        json.data.map(({ id }: { id: string }): string => id).toSorted()
      )
    const sorted = (...found: ReadonlyArray<string>) => found.toSorted()
    assert.deepStrictEqual(yield* ids(team.SUPPORT), sorted(caseOfOne, caseOfTwo, waiting, inTexas))
    assert.deepStrictEqual(yield* ids(one), sorted(caseOfOne, waiting, inTexas))
    assert.deepStrictEqual(yield* ids(one, "&status=OPEN"), sorted(waiting, inTexas))
    assert.deepStrictEqual(yield* ids(one, `&assignedTo=${one.userId}`), [caseOfOne])
    const assigned = (yield* admin("GET", `/cases/${caseOfTwo}`)).json
    assert.deepStrictEqual(yield* ids(one, `&assignedTo=${assigned.assignedTo.id}`), [])
    assert.deepStrictEqual(yield* ids(one, `&email=${assigned.submitter.email}`), [])
    assert.deepStrictEqual(yield* ids(one, "&updatedSince=2020-01-01T00:00:00Z"), sorted(caseOfOne, waiting, inTexas))
    assert.deepStrictEqual(yield* ids(californian), [waiting])
    assert.strictEqual((yield* read(californian, `/cases/${waiting}`)).status, 200)
    assert.strictEqual((yield* read(californian, `/cases/${inTexas}`)).status, 404)
  })

  it("a provider finds by anything, and assigns at once, only cases that they may see", function* () {
    const { caseOfOne, caseOfTwo, clinic, one, two } = yield* makeTwoProviders
    const { SUPPORT } = yield* makeTeam(clinic)
    const found = (staff: Staff, q: string, limit = 20) =>
      Effect.map(write(staff, "/search", { organizationId: clinic.organizationId, q, limit }), ({ json }) =>
        json.data.map(({ id }: { id: string }): string => id)
      )
    assert.deepStrictEqual(yield* found(SUPPORT, caseOfTwo), [caseOfTwo])
    assert.deepStrictEqual(yield* found(one, caseOfTwo), [])
    assert.deepStrictEqual(yield* found(one, caseOfOne), [caseOfOne])
    // What others have does not take the place of what is theirs.
    const { submitter } = (yield* admin("GET", `/cases/${caseOfOne}`)).json
    assert.lengthOf(yield* found(SUPPORT, submitter.firstName), 2)
    for (const staff of [one, two]) {
      assert.deepStrictEqual(yield* found(staff, submitter.firstName, 1), [staff === one ? caseOfOne : caseOfTwo])
    }

    const assign = (staff: Staff, more: object = {}) =>
      write(staff, "/cases/assign", {
        organizationId: clinic.organizationId,
        caseIds: [caseOfOne, caseOfTwo],
        providerId: one.userId,
        ...more
      })
    const outcomes = ({ json }: Answer) => json.data.map(({ outcome }: { outcome: string }) => outcome)
    assert.deepStrictEqual(outcomes(yield* assign(one)), ["ASSIGNED", "NOT_FOUND"])
    assert.strictEqual((yield* admin("GET", `/cases/${caseOfTwo}`)).json.assignedTo.id, two.userId)
    assert.deepStrictEqual(codeOf(yield* assign(one, { assignedByUserId: two.userId })), [403, "REFUSED"])
    const foreign = yield* makeTeam(yield* makeClinic)
    assert.strictEqual((yield* assign(foreign.SUPPORT)).status, 404)
    assert.deepStrictEqual(outcomes(yield* assign(SUPPORT)), ["ASSIGNED", "ASSIGNED"])
    const { assignedBy, assignedTo } = (yield* admin("GET", `/cases/${caseOfTwo}`)).json
    assert.deepStrictEqual([assignedTo.id, assignedBy.id], [one.userId, SUPPORT.userId])
  })

  it("an administrator leaves operators as they are", function* () {
    const clinic = yield* makeClinic
    const { ADMIN, OPERATOR } = yield* makeTeam(clinic)
    const email = `operator.${Date.now()}@example.com`
    const operator = yield* admin("POST", "/operators", { email, firstName: "Olga", lastName: "Operator" })
    for (const staff of [ADMIN, OPERATOR]) {
      const changed = yield* callAs(staff, "auth", "PATCH", `/admin/v1/users/${operator.json.id}`, { role: "PROVIDER" })
      assert.strictEqual(changed.status, 404, textOf(changed))
    }
  })

  it("a provider who gives a case away sees it once more, and not again", function* () {
    const { caseOfOne, one, two } = yield* makeTwoProviders
    const given = yield* write(one, `/cases/${caseOfOne}/assign`, { providerId: two.userId })
    assert.deepStrictEqual(
      [given.status, given.json.assignedTo.id, given.json.assignedBy.id],
      [200, two.userId, one.userId]
    )
    assert.strictEqual((yield* read(one, `/cases/${caseOfOne}`)).status, 404)
    assert.strictEqual((yield* read(two, `/cases/${caseOfOne}`)).status, 200)
  })

  it("support reads no answers and files unless its organization allows it", function* () {
    const { caseOfOne, clinic, one } = yield* makeTwoProviders
    const team = yield* makeTeam(clinic)
    yield* write(one, `/cases/${caseOfOne}/attachments`, {
      fileName: "a.txt",
      contentType: "text/plain",
      content: "aGVsbG8="
    })
    const asSupport = read(team.SUPPORT, `/cases/${caseOfOne}`)
    const lists = Effect.forEach(["form-responses", "attachments"], (list) =>
      read(team.SUPPORT, `/cases/${caseOfOne}/${list}`)
    )
    const full = (yield* read(one, `/cases/${caseOfOne}`)).json
    assert.deepInclude(full, { answersHidden: false })
    assert.include(JSON.stringify(full.formResponses), answer185)
    const hidden = (yield* asSupport).json
    assert.deepInclude(hidden, { answersHidden: true, formResponses: [], attachments: [], status: "ASSIGNED" })
    assert.notInclude(JSON.stringify(hidden), answer185)
    assert.deepStrictEqual((yield* lists).map(codeOf), [
      [403, "REFUSED"],
      [403, "REFUSED"]
    ])

    const allow = (supportMayReadAnswers: boolean) =>
      callAs(team.ADMIN, "auth", "PATCH", `/admin/v1/organizations/${clinic.organizationId}`, { supportMayReadAnswers })
    assert.deepInclude((yield* allow(true)).json, { supportMayReadAnswers: true, isDisabled: false })
    const shown = yield* until(asSupport, ({ json }) => json.answersHidden === false)
    assert.include(textOf(shown), answer185)
    assert.deepStrictEqual(
      (yield* lists).map(({ status }) => status),
      [200, 200]
    )
    yield* allow(false)
    yield* until(asSupport, ({ json }) => json.answersHidden === true)
  })

  it("an administrator cannot enable or disable their organization", function* () {
    const clinic = yield* makeClinic
    const { ADMIN } = yield* makeTeam(clinic)
    const update = (body: object) =>
      callAs(ADMIN, "auth", "PATCH", `/admin/v1/organizations/${clinic.organizationId}`, body)
    for (const isDisabled of [true, false]) {
      assert.deepStrictEqual(codeOf(yield* update({ name: "Mine", isDisabled })), [403, "REFUSED"])
    }
    assert.deepInclude((yield* update({ name: "Mine" })).json, { name: "Mine", isDisabled: false })
  })

  it("internal notes stay with the care team", function* () {
    const { caseOfOne, clinic, one } = yield* makeTwoProviders
    const team = yield* makeTeam(clinic)
    for (const isRestricted of [true, false]) {
      yield* write(one, `/cases/${caseOfOne}/comments`, { text: `is restricted: ${isRestricted}`, isRestricted })
    }
    const texts = (staff: Staff, query = "") =>
      Effect.map(read(staff, `/cases/${caseOfOne}/comments${query}`), ({ json }) =>
        json.data.map(({ text }: { text: string }) => text).toSorted()
      )
    assert.lengthOf(yield* texts(team.SUPPORT), 2)
    assert.deepStrictEqual(yield* texts(team.THIRD_PARTY_ADMIN), ["is restricted: false"])
    assert.deepStrictEqual(yield* texts(team.THIRD_PARTY_ADMIN, "?isRestricted=true"), [])
  })

  it("what a person writes is theirs, another's name is refused, and activity and audit name them", function* () {
    const { caseOfOne, clinic, one, two } = yield* makeTwoProviders
    const { OPERATOR, SUPPORT } = yield* makeTeam(clinic)
    const at = `/cases/${caseOfOne}`
    const file = { fileName: "a.txt", contentType: "text/plain", content: "aGVsbG8=" }
    const decision = Struct.omit(decisionBody(one.userId), ["addedByUserId"])
    for (const [path, body] of [
      ["assign", { providerId: one.userId, assignedByUserId: two.userId }],
      ["comments", { text: "Hi", isRestricted: false, authorUserId: two.userId }],
      ["attachments", { ...file, uploadedByUserId: two.userId }],
      ["decisions", { ...decision, addedByUserId: two.userId }]
    ] as const) {
      assert.deepStrictEqual(codeOf(yield* write(one, `${at}/${path}`, body)), [403, "REFUSED"], path)
    }
    const comment = yield* write(one, `${at}/comments`, { text: "Hi", isRestricted: false, authorUserId: one.userId })
    assert.deepStrictEqual([comment.status, comment.json.author.id], [201, one.userId])
    assert.strictEqual(
      (yield* write(SUPPORT, `${at}/comments`, { text: "Hi", isRestricted: true })).json.author.id,
      SUPPORT.userId
    )
    assert.strictEqual((yield* write(one, `${at}/attachments`, file)).json.uploadedBy.id, one.userId)
    assert.strictEqual((yield* write(one, `${at}/start`, {})).status, 200)
    const decided = yield* write(one, `${at}/decisions`, decision)
    assert.strictEqual(decided.status, 201)

    // Who is no member names one, and is the one who did it.
    assert.strictEqual((yield* write(OPERATOR, `${at}/comments`, { text: "Hi", isRestricted: false })).status, 400)
    const named = yield* write(OPERATOR, `${at}/comments`, {
      text: "Hi",
      isRestricted: false,
      authorUserId: two.userId
    })
    assert.deepStrictEqual([named.status, named.json.author.id], [201, two.userId])
    assert.strictEqual((yield* admin("POST", `${at}/comments`, { text: "Hi", isRestricted: false })).status, 400)

    const activity = (yield* admin("GET", `${at}/activity`)).json.data
    const actors = activity
      .filter(({ actor }: { actor: { type: string } }) => actor.type === "USER")
      .map(({ actor, type }: { actor: { id: string }; type: string }) => [type, actor.id])
    assert.deepStrictEqual(actors, [
      ["COMMENT_ADDED", one.userId],
      ["NOTE_ADDED", SUPPORT.userId],
      ["FILE_ATTACHED", one.userId],
      ["CASE_STARTED", one.userId],
      ["DECISION_ADDED", one.userId],
      ["COMMENT_ADDED", OPERATOR.userId]
    ])
    const records = (yield* admin(
      "GET",
      `/audit?organizationId=${clinic.organizationId}&caseId=${caseOfOne}&action=DECISION_ADDED`
    )).json.data
    assert.deepStrictEqual(
      records.map(({ actor }: { actor: object }) => actor),
      [{ type: "USER", id: one.userId }]
    )
  })
})
