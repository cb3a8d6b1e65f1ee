import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { inSecondCell, layerBesideCell, layerTwoCells } from "./harness/layerTwoCells.ts"
import { runAudit } from "./harness/runAudit.ts"
import { signIn } from "./harness/signIn.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { changeUser, checkUser, clinicWithPatient, failed, getProfile } from "./harness/users.ts"

/** Makes a clinic of the second cell, and a patient of it through the gateway of both. */
const patientOfSecondCell = Effect.gen(function* () {
  const clinic = yield* inSecondCell(makeClinic)
  const body = caseBody(clinic)
  const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
  return { clinic, user: body.user, caseId }
})

const absent = { success: false, message: "User does not exist", data: { code: "USER_NOT_FOUND" } }

const moveEmail = (key: string, currentEmail: string, newEmail: string) =>
  changeUser(key, "UPDATE_EMAIL", { currentEmail, newEmail })

const changeName = (key: string, email: string) => changeUser(key, "UPDATE_PROFILE", { email, city: "Oakland" })

/** Creates an organization through the gateway of both cells. */
const createOrganization = (cell?: string) =>
  admin("POST", "/organizations", { name: "In a cell", ...(cell && { cell }) })

/** Returns the ids of all pages of a list. */
const allIds = Effect.fnUntraced(function* (path: string, limit: number) {
  const ids: Array<string> = []
  let cursor: string | null = null
  do {
    const after: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const { json, status } = yield* admin("GET", `${path}?limit=${limit}${after}`)
    assert.deepStrictEqual([status, json.cellsAway], [200, undefined])
    for (const { id } of json.data) ids.push(id)
    cursor = json.nextCursor
  } while (cursor !== null)
  return ids
})

testsOn(layerTwoCells, "operators of two cells", (it) => {
  it("a new organization gets the named cell, or the one with the fewest, and its answers name it", function* () {
    const { json: named } = yield* createOrganization("c2")
    assert.strictEqual(named.cell, "c2")
    assert.deepStrictEqual((yield* admin("GET", `/organizations/${named.id}`)).json, named)
    const { json: renamed } = yield* admin("PATCH", `/organizations/${named.id}`, { name: "Renamed" })
    assert.deepStrictEqual([renamed.name, renamed.cell], ["Renamed", "c2"])
    const cells: Array<string> = []
    for (let index = 0; index < 6; index += 1) cells.push((yield* createOrganization()).json.cell)
    assert.strictEqual(cells[0], "c1")
    assert.includeMembers(cells.slice(2), ["c1", "c2"])
    const unknown = yield* createOrganization("c3")
    assert.deepStrictEqual([unknown.status, unknown.json.detail], [400, "cell, must be c1 or c2"])
  })

  it("lists have the rows of both cells in order, page by page", function* () {
    const created: Array<string> = []
    for (const cell of ["c1", "c2", "c2", "c1", "c2"]) created.push((yield* createOrganization(cell)).json.id)
    for (const limit of [1, 2, 100]) {
      const ids = yield* allIds("/organizations", limit)
      assert.deepStrictEqual(
        ids.filter((id) => created.includes(id)),
        created
      )
      assert.lengthOf(new Set(ids), ids.length)
    }
  })

  it("an operation on an id reaches the cell that has it, and an unknown id is answered as such", function* () {
    for (const cell of ["c1", "c2"]) {
      const { json: organization } = yield* createOrganization(cell)
      const { json: key } = yield* admin("POST", `/organizations/${organization.id}/api-keys`, {})
      assert.isTrue(key.key.startsWith(`cv_live_${cell}_`))
      const { json: product } = yield* admin("POST", `/organizations/${organization.id}/products`, { name: "Program" })
      const clinic = { organizationId: organization.id, key: key.key, keyId: key.id, productId: product.id }
      const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
      assert.strictEqual((yield* admin("GET", `/cases/${caseId}`)).json.id, caseId)
      assert.strictEqual((yield* admin("GET", `/organizations/${organization.id}/usage`)).status, 200)
      const ofOrganization = yield* admin("GET", `/cases?organizationId=${organization.id}`)
      assert.deepStrictEqual(
        ofOrganization.json.data.map(({ id }: { readonly id: string }) => id),
        [caseId]
      )
      const audit = yield* call("GET", "/api/v1/audit-records", { key: clinic.key })
      assert.isNotEmpty(audit.json.data)
      const promo = { code: `CELL${cell}`, percentDiscount: 10 }
      const created = yield* admin("POST", "/promo-codes", { ...promo, organizationId: organization.id })
      assert.strictEqual(created.status, 201)
      assert.strictEqual((yield* admin("PATCH", `/promo-codes/${created.json.id}`, { isActive: false })).status, 200)
      assert.strictEqual((yield* admin("POST", "/promo-codes", promo)).status, 400)
      assert.strictEqual((yield* admin("DELETE", `/api-keys/${key.id}`)).status, 204)
    }
    const unknown = "3b241101-e2bb-4255-8caf-4136c566a962"
    assert.strictEqual((yield* admin("GET", `/cases/${unknown}`)).status, 404)
    assert.strictEqual((yield* admin("GET", "/cases/no-id")).status, 400)
    assert.strictEqual((yield* admin("PATCH", `/organizations/${unknown}`, { name: "Nobody" })).status, 404)
  })

  it("an operation on all rows of a cell names it", function* () {
    for (const cell of ["c1", "c2"]) {
      assert.strictEqual((yield* admin("GET", `/phi-keys?cell=${cell}`)).status, 200)
      assert.strictEqual((yield* admin("POST", "/phi-keys/rotate", { cell })).status, 200)
      assert.strictEqual((yield* admin("GET", `/audit/heads/auth?cell=${cell}`)).status, 200)
    }
    // The chains of all cells are verified, or of one.
    const [first, second] = [yield* clinicWithPatient, yield* patientOfSecondCell]
    const owners = [first.clinic.organizationId, second.clinic.organizationId]
    const headsOf = Effect.fnUntraced(function* (...flags: ReadonlyArray<string>) {
      const { out } = yield* runAudit("heads", ...flags)
      const ends: ReadonlyArray<{ readonly organizationId: string; readonly service: string }> = JSON.parse(out)
      return owners.map((owner) => ends.some((end) => end.organizationId === owner && end.service === "cases"))
    })
    yield* until(headsOf(), (found) => !found.includes(false))
    assert.deepStrictEqual(yield* headsOf("--cell", "c1"), [true, false])
    assert.deepStrictEqual(yield* headsOf("--cell", "c2"), [false, true])
    const { errors, isGood } = yield* runAudit("verify")
    assert.isTrue(isGood)
    for (const owner of owners) assert.include(errors, `cases ${owner}: `)
    const ids: Array<string> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const after: string = cursor && `&cursor=${cursor}`
      const { json } = yield* admin("GET", `/audit/heads/auth?limit=1${after}`)
      for (const { organizationId } of json.data) ids.push(organizationId)
      cursor = json.nextCursor
    }
    assert.deepStrictEqual(ids, [...new Set(ids)].sort())
    assert.includeMembers(ids, owners)
    const month = yield* admin("GET", "/audit/archives/cases/2020-01")
    assert.deepStrictEqual(
      [month.status, month.json.detail],
      [400, "cell, is required, because there are several cells"]
    )
    assert.strictEqual((yield* admin("GET", "/audit/archives/cases/2020-01?cell=c2")).status, 200)
    assert.strictEqual((yield* admin("POST", "/audit/archives/cases/2020-01", {})).status, 400)
    assert.strictEqual((yield* admin("POST", "/audit/archives/cases/2020-01", { cell: "c2" })).status, 200)
    const unknown = yield* admin("GET", "/phi-keys?cell=c3")
    assert.deepStrictEqual([unknown.status, unknown.json.detail], [400, "cell, must be c1 or c2"])
  })
})

testsOn(layerTwoCells, "two cells behind one gateway", (it) => {
  it("an organization's key leads to its cell, and no other cell has its cases", function* () {
    const first = yield* clinicWithPatient
    const second = yield* patientOfSecondCell
    assert.match(first.clinic.key, /^cv_live_c1_[0-9A-Za-z]{38}$/)
    assert.match(second.clinic.key, /^cv_live_c2_[0-9A-Za-z]{38}$/)
    for (const [own, other] of [
      [first, second],
      [second, first]
    ] as const) {
      const detail = (caseId: string) =>
        call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: own.clinic.key })
      assert.strictEqual((yield* detail(own.caseId)).status, 200)
      assert.notStrictEqual((yield* detail(other.caseId)).status, 200)
    }
  })

  it("check-user finds users of other cells, the own ones first", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { clinic: otherClinic, user: outsider } = yield* patientOfSecondCell
    yield* createCase(otherClinic, caseBody(otherClinic, { user: { ...newPatient(), email: user.email } }))
    const phoneNumber = encodeURIComponent(outsider.phoneNumber)
    for (const [key, query, isOwn] of [
      [clinic.key, `email=${outsider.email}`, false],
      [clinic.key, `phone-number=${phoneNumber}`, false],
      [clinic.key, `email=${user.email}`, true],
      [otherClinic.key, `email=${user.email}`, true],
      [otherClinic.key, `phone-number=${encodeURIComponent(user.phoneNumber)}`, false]
    ] as const) {
      const { json } = yield* checkUser(key, query)
      assert.deepStrictEqual([json.success, json.data.existsInCurrentOrganization], [true, isOwn], query)
    }
    yield* expectAnswer(checkUser(clinic.key, "email=nobody@example.com"), 200, absent)
  })

  it("a patient gets no email that a user of another cell has, and no profile of another cell is changed", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { user: outsider } = yield* patientOfSecondCell
    const taken = failed(`User with email ${outsider.email} already exists in database`)
    const refused = yield* moveEmail(clinic.key, user.email, outsider.email)
    assert.deepInclude(refused.json, taken)
    assert.strictEqual((yield* moveEmail(clinic.key, user.email, `free.${user.email}`)).status, 200)
    const outside = yield* changeName(clinic.key, outsider.email)
    assert.deepInclude(outside.json, failed(`User ${outsider.email} does not exist in the organization`))
  })

  it("an access token works with a key of its own cell alone", function* () {
    const { clinic } = yield* clinicWithPatient
    const { clinic: otherClinic, user } = yield* patientOfSecondCell
    const { accessToken } = yield* signIn(otherClinic.key, user.email)
    assert.strictEqual((yield* getProfile(otherClinic.key, accessToken)).status, 200)
    const refused = { status: 401, error: "Invalid access token" }
    yield* expectAnswer(getProfile(clinic.key, accessToken), 401, refused)
  })
})

const away = Effect.succeed("http://127.0.0.1:1")
const slow = Effect.map(
  serveListener(() => {}),
  ({ url }) => url
)

for (const [what, makeUrl] of Object.entries({ away, slow })) {
  testsOn(layerBesideCell(makeUrl), `a cell beside one that is ${what}`, (it) => {
    it("look-ups are answered by what its own cell knows, and no email is given to a patient", function* () {
      const { clinic, user } = yield* clinicWithPatient
      const unknown = `unknown.${user.email}`
      assert.isTrue((yield* checkUser(clinic.key, `email=${user.email}`)).json.success)
      yield* expectAnswer(checkUser(clinic.key, `email=${unknown}`), 200, absent)
      assert.deepInclude((yield* changeName(clinic.key, unknown)).json, failed(`User ${unknown} does not exist`))
      const refused = yield* moveEmail(clinic.key, user.email, unknown)
      assert.deepStrictEqual([refused.status, refused.json.message], [503, "Service unavailable"])
      assert.isTrue((yield* checkUser(clinic.key, `email=${user.email}`)).json.success)
      const neighbour = newPatient()
      yield* createCase(clinic, caseBody(clinic, { user: neighbour }))
      const own = yield* moveEmail(clinic.key, user.email, neighbour.email)
      assert.deepInclude(own.json, failed(`New Email ${neighbour.email} already exists`))
    })

    it("lists name it, and have the rows of the others; what may be in it is not called unknown", function* () {
      const { caseId, clinic } = yield* clinicWithPatient
      for (const path of ["/organizations", "/cases", "/jobs", "/audit", "/messages"]) {
        const { json, status } = yield* admin("GET", path)
        assert.deepStrictEqual([status, json.cellsAway], [200, ["c2"]], path)
        // Messages and audit records follow a moment later.
        if (path === "/organizations" || path === "/cases") assert.isNotEmpty(json.data)
      }
      assert.deepStrictEqual((yield* admin("GET", "/audit/heads/cases")).json.cellsAway, ["c2"])
      const { errors, isGood } = yield* runAudit("verify")
      assert.isFalse(isGood)
      assert.include(errors, "The cell c2 does not answer: try again, or name another one with --cell.")
      assert.isTrue((yield* runAudit("verify", "--cell", "c1")).isGood)
      assert.strictEqual((yield* admin("GET", `/cases/${caseId}`)).status, 200)
      assert.strictEqual((yield* admin("GET", `/organizations/${clinic.organizationId}`)).json.cell, "c1")
      const unknown = yield* admin("GET", "/cases/3b241101-e2bb-4255-8caf-4136c566a962")
      assert.strictEqual(unknown.status, 503)
      assert.strictEqual((yield* createOrganization()).json.cell, "c1")
    })
  })
}
