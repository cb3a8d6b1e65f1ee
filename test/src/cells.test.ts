import { randomUUID } from "node:crypto"
import { crc32 } from "node:zlib"
import { openIdClient, runOpenIdProvider } from "@care/auth/testing/runOpenIdProvider"
import { platformId } from "@care/domain/ids"
import { keyHash, makeStaffToken } from "@care/service-kit"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { signatureHeaders } from "../operations/signatureHeaders.ts"
import { admin, call, expectAnswer } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase, makeClinic, newPatient } from "./harness/fixtures.ts"
import { createAbandonedCase } from "./harness/gatewayEvents.ts"
import {
  inSecondCell,
  inSecondCellOfGateway,
  layerBesideCell,
  layerMisnamedCell,
  layerTwoCells
} from "./harness/layerTwoCells.ts"
import { idIn } from "./harness/paymentSetup.ts"
import { runAudit } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import {
  completeSetup,
  completionBody,
  foreignSetup,
  paymentInfoBody,
  updatePaymentInfo
} from "./harness/savedMethods.ts"
import { signIn } from "./harness/signIn.ts"
import { asStaff, cookieOf } from "./harness/staff.ts"
import { askStripe, atStripe } from "./harness/stripe.ts"
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
    for (const { id, paymentId } of json.data) ids.push(id ?? paymentId)
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

  it("people of the platform are listed oldest first, page by page", function* () {
    const added: Array<string> = []
    for (let index = 0; index < 3; index += 1) {
      const body = { email: `operator.${randomUUID()}@example.com`, firstName: "Ada", lastName: "Byron" }
      added.push((yield* admin("POST", "/operators", body)).json.id)
    }
    for (const limit of [1, 2, 100]) {
      const ids = yield* allIds("/operators", limit)
      assert.deepStrictEqual(
        ids.filter((id) => added.includes(id)),
        added
      )
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
      return owners.map((owner) =>
        ["auth", "cases"].every((service) =>
          ends.some((end) => end.organizationId === owner && end.service === service)
        )
      )
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

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** Returns a key or token with another cell and the same secret, and the right checksum. */
const ofCell = (token: string, cell: string) => {
  const unchecked = token.replace(/_[a-z0-9]+_(\w{32})\w{6}$/, `_${cell}_$1`)
  let rest = crc32(unchecked)
  let checksum = ""
  while (checksum.length < 6) {
    checksum = `${digits[rest % 62]}${checksum}`
    rest = Math.floor(rest / 62)
  }
  return `${unchecked}${checksum}`
}

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url")

testsOn(layerTwoCells, "what is of another cell", (it) => {
  it("a key with the name of another cell is invalid, as is one of a cell that does not exist", function* () {
    const { clinic } = yield* clinicWithPatient
    assert.strictEqual(ofCell(clinic.key, "c1"), clinic.key)
    const { clinic: otherClinic } = yield* patientOfSecondCell
    for (const key of [ofCell(clinic.key, "c2"), ofCell(otherClinic.key, "c1"), ofCell(clinic.key, "c3")]) {
      const answer = yield* call("GET", "/api/v1/promo-codes?code=X", { key })
      assert.deepStrictEqual([answer.status, answer.json], [401, { status: 401, error: "Invalid API key" }])
    }
  })

  it("a callback is accepted by the cell in its path with that cell's secret alone", function* () {
    const { secrets: ofFirst, urls } = yield* Suite
    const ofSecond = yield* inSecondCell(Effect.map(Suite, ({ secrets }) => secrets))
    const secretsIn = (secrets: typeof ofFirst) => ({
      stripe: secrets.STRIPE_WEBHOOK_SECRET,
      pharmacy: secrets.PHARMACY_WEBHOOK_SECRET,
      scheduling: secrets.SCHEDULING_WEBHOOK_SECRET
    })
    const bodies = {
      stripe: { id: `evt_${randomUUID()}`, type: "account.updated", data: { object: {} } },
      pharmacy: {
        type: "order.updated",
        timestamp: new Date().toISOString(),
        data: { externalId: randomUUID(), status: "SHIPPED" }
      },
      scheduling: { event: "routing_form_submission.created", created_at: new Date().toISOString(), payload: {} }
    }
    for (const name of ["stripe", "pharmacy", "scheduling"] as const) {
      const raw = JSON.stringify(bodies[name])
      // The public document has the paths without a cell alone.
      const send = (cell: string, secrets: typeof ofFirst) =>
        Effect.promise(async () => {
          const headers = { "content-type": "application/json", ...signatureHeaders(name, raw, secretsIn(secrets)) }
          const answer = await fetch(`${urls.gateway}/webhooks/${name}${cell}`, { method: "POST", body: raw, headers })
          await answer.arrayBuffer()
          return answer.status
        })
      // The pharmacy's order is unknown.
      const accepted = name === "pharmacy" ? 404 : 200
      for (const cell of ["", "/c1"]) assert.strictEqual(yield* send(cell, ofFirst), accepted, `${name}${cell}`)
      assert.strictEqual(yield* send("/c2", ofSecond), accepted, name)
      const refused = [yield* send("/c2", ofFirst), yield* send("/c1", ofSecond), yield* send("", ofSecond)]
      assert.lengthOf(new Set(refused), 1)
      assert.include([400, 401], refused[0], name)
      assert.strictEqual(yield* send("/c3", ofSecond), 404)
    }
  })

  it("a cursor that was changed is refused, or begins where it says", function* () {
    for (const cell of ["c1", "c2", "c1", "c2"]) yield* createOrganization(cell)
    const read = (cursor: string) => admin("GET", `/organizations?limit=2&cursor=${encodeURIComponent(cursor)}`)
    const { json: first } = yield* admin("GET", "/organizations?limit=2")
    const position: unknown = JSON.parse(Buffer.from(first.nextCursor, "base64url").toString())
    const changed = ["abc", base64url({ c2: "abc" }), base64url({ c1: 5 }), base64url({ c1: { c2: position } })]
    for (const cursor of changed) {
      const { json, status } = yield* read(cursor)
      assert.deepStrictEqual([status, json.data], [400, undefined], cursor)
    }
    assert.deepStrictEqual((yield* read(base64url({ c9: position }))).json.data, first.data)
    const second = yield* read(base64url({ c1: position, c2: position }))
    assert.deepStrictEqual(second.json.data, (yield* read(first.nextCursor)).json.data)
  })

  it("every list has the rows of both cells, each once and in one order, whatever the length of its pages", function* () {
    const { clinic, user } = yield* clinicWithPatient
    const { clinic: otherClinic, user: otherUser } = yield* patientOfSecondCell
    yield* signIn(clinic.key, user.email)
    yield* signIn(otherClinic.key, otherUser.email)
    const intents: Array<string> = []
    for (const each of [clinic, otherClinic, clinic]) {
      const { key, organizationId } = each
      const { json } = yield* call("POST", "/api/v1/payments/intent", { key, body: { amount: 299 } })
      intents.push(idIn(json.data.paymentIntentSecret))
      const created = createAbandonedCase(each, intents.at(-1) ?? "")
      yield* each === otherClinic ? inSecondCellOfGateway(created) : created
      yield* admin("POST", "/promo-codes", { code: `C${intents.length}`, percentDiscount: 10, organizationId })
    }
    yield* Effect.flatMap(atStripe, (stripe) => until(stripe.pendingDeliveries, ({ length }) => length === 0))
    for (const path of ["/organizations", "/cases", "/payments", "/payment-events", "/promo-codes"]) {
      const together = yield* allIds(path, 100)
      assert.isAbove(together.length, 1, path)
      assert.deepStrictEqual(yield* allIds(path, 1), together, path)
    }
    const promoCodes = (etag: string) =>
      call("GET", "/admin/v1/promo-codes", { isOperator: true, headers: { "if-none-match": etag } })
    const etag = (yield* promoCodes('"none"')).headers.get("etag") ?? assert.fail("no etag")
    const unchanged = yield* promoCodes(etag)
    assert.deepStrictEqual([unchanged.status, unchanged.headers.get("etag")], [304, etag])
    // These grow meanwhile.
    for (const [path, limit] of [
      ["/messages", 1],
      ["/jobs", 7],
      ["/audit", 7]
    ] as const) {
      const together = yield* allIds(path, 100)
      assert.isAbove(together.length, 1, path)
      const ids = yield* allIds(path, limit)
      assert.lengthOf(new Set(ids), ids.length, path)
      const known = new Set(together)
      assert.deepStrictEqual(
        ids.filter((id) => known.has(id)),
        together,
        path
      )
    }
  })
})

/** Begins a session of a member of staff in the cell of the effect. */
const sessionIn = Effect.fnUntraced(function* (cell: string, organizationId: string, userId: string) {
  const token = makeStaffToken(cell)
  yield* inDatabase(
    "auth",
    (sql) => sql`
      INSERT INTO auth.staff_sessions (
        organization_id, id, user_id, token_hash, kind, state, created_at, last_used_at, expires_at, stepped_up_at
      ) VALUES (
        ${organizationId}, ${randomUUID()}, ${userId}, ${keyHash(token)}, 'BROWSER', 'ACTIVE', now(), now(), now() + interval '1 hour', now()
      )
    `
  )
  return { userId, token, cookie: `care_staff=${token}` }
})

testsOn(layerTwoCells, "staff of two cells", (it) => {
  const twoPeople = Effect.gen(function* () {
    const [first, second] = [yield* clinicWithPatient, yield* patientOfSecondCell]
    const memberIn = (cell: string, clinic: Clinic) =>
      Effect.flatMap(addStaff(clinic, { role: "SUPPORT" }), (userId) => sessionIn(cell, clinic.organizationId, userId))
    return [
      { cell: "c1", ...first, ...(yield* memberIn("c1", first.clinic)) },
      { cell: "c2", ...second, ...(yield* inSecondCell(memberIn("c2", second.clinic))) }
    ] as const
  })

  it("a session opens what is of its organization in its cell, and nothing of another cell", function* () {
    const [first, second] = yield* twoPeople
    for (const [own, other] of [
      [first, second],
      [second, first]
    ] as const) {
      const send = (method: string, path: string, body?: object) =>
        asStaff(method, path, own.cookie, body === undefined ? {} : { body })
      const { organizationId } = other.clinic
      const others = { caseId: other.caseId, q: other.user.email }
      assert.strictEqual((yield* send("GET", `/cases/${own.caseId}`)).json.id, own.caseId)
      assert.strictEqual((yield* send("POST", `/cases/${own.caseId}/viewers`)).status, 200)
      const listed = yield* send("GET", "/cases?order=OLDEST&status=ACTIVE")
      assert.include(JSON.stringify(listed.json), own.caseId)
      assert.notInclude(JSON.stringify(listed.json), other.caseId)
      const ofOwn = { organizationId: own.clinic.organizationId }
      const found = yield* send("POST", "/search", { ...ofOwn, q: others.q })
      assert.deepStrictEqual([found.status, found.json.data], [200, []])
      assert.strictEqual((yield* send("GET", `/session?cell=${other.cell}`)).json.user.id, own.userId)
      for (const [method, path, body] of [
        ["GET", `/cases/${others.caseId}`, undefined],
        ["GET", `/cases/${others.caseId}/timeline`, undefined],
        ["GET", `/cases/${others.caseId}/patient`, undefined],
        ["POST", `/cases/${others.caseId}/viewers`, undefined],
        ["DELETE", `/cases/${others.caseId}/viewers`, undefined],
        ["POST", `/cases/${others.caseId}/assign`, { providerId: own.userId, onlyIfUnassigned: true }],
        ["POST", "/cases/assign", { organizationId, caseIds: [others.caseId], providerId: own.userId }],
        ["POST", "/search", { organizationId, q: others.q }],
        ["GET", `/dashboard?organizationId=${organizationId}`, undefined],
        ["GET", `/escalations?organizationId=${organizationId}&isUnassigned=true`, undefined],
        ["GET", `/orders/in-error?organizationId=${organizationId}`, undefined]
      ] as const) {
        const refused = yield* send(method, path, body)
        assert.include([403, 404], refused.status, `${own.cell} ${method} ${path}`)
        assert.notInclude(JSON.stringify(refused.json), other.user.email)
      }
      const renamed = `care_staff=${ofCell(own.token, other.cell)}`
      for (const path of ["/session", `/cases/${own.caseId}`, `/cases/${others.caseId}`]) {
        assert.strictEqual((yield* asStaff("GET", path, renamed)).status, 401, path)
      }
    }
  })

  it("the code of a device is approved and used in the cell where it began", function* () {
    const [first, second] = yield* twoPeople
    for (const [own, other] of [
      [first, second],
      [second, first]
    ] as const) {
      const device = (yield* call("POST", `/admin/v1/session/device?cell=${own.cell}`)).json
      const body = { userCode: device.userCode, isApproved: true }
      const approve = (cookie: string) => asStaff("POST", `/session/device/approve?cell=${own.cell}`, cookie, { body })
      const tokenIn = (cell: string) =>
        call("POST", `/admin/v1/session/device/token?cell=${cell}`, { body: { deviceCode: device.deviceCode } })
      assert.strictEqual((yield* approve(other.cookie)).status, 404)
      assert.strictEqual((yield* approve(own.cookie)).status, 204)
      assert.strictEqual((yield* tokenIn(other.cell)).status, 404)
      const { json } = yield* tokenIn(own.cell)
      assert.include(json.token, `cs_${own.cell}_`)
    }
  })

  it("an operator works in both cells, by a session of the first alone", function* () {
    const [, second] = yield* twoPeople
    const body = { email: `operator.${randomUUID()}@example.com`, firstName: "Ada", lastName: "Byron" }
    const { json: invited } = yield* admin("POST", "/operators", body)
    const { cookie } = yield* sessionIn("c1", platformId, invited.id)
    const at = `/cases/${second.caseId}`
    assert.strictEqual((yield* asStaff("GET", at, cookie)).json.id, second.caseId)
    assert.deepStrictEqual((yield* asStaff("POST", `${at}/viewers`, second.cookie)).json.data, [])
    const seen = yield* asStaff("POST", `${at}/viewers`, cookie)
    assert.deepStrictEqual(
      seen.json.data.map(({ userId }: { readonly userId: string }) => userId),
      [second.userId]
    )
    const { organizationId } = second.clinic
    const found = yield* asStaff("POST", "/search", cookie, { body: { organizationId, q: second.user.email } })
    assert.deepStrictEqual(
      found.json.data.map(({ id }: { readonly id: string }) => id),
      [second.caseId]
    )
    for (const path of ["/dashboard", "/escalations", "/orders/in-error"]) {
      assert.strictEqual((yield* asStaff("GET", `${path}?organizationId=${organizationId}`, cookie)).status, 200, path)
    }
    const planted = makeStaffToken("c2")
    assert.strictEqual((yield* asStaff("GET", at, `care_staff=${planted}`)).status, 401)
  })

  it("a single sign-on ends in the cell where it began, whatever cell its state is changed to", function* () {
    const [first, second] = yield* twoPeople
    const { urls } = yield* Suite
    const provider = yield* runOpenIdProvider({ redirectUri: `${urls.gateway}/admin/v1/session/oidc/callback` })
    const domain = `cells-${randomUUID()}.example`
    const email = `jane@${domain}`
    yield* addStaff(second.clinic, { email, role: "SUPPORT" })
    const setting = { ...openIdClient, issuer: provider.issuer, domains: [domain] }
    const stored = yield* admin("PUT", `/organizations/${second.clinic.organizationId}/single-sign-on`, setting)
    assert.strictEqual(stored.status, 200)
    const begin = (cell: string) => asStaff("POST", `/session/oidc/start?cell=${cell}`, undefined, { body: { email } })
    assert.strictEqual((yield* begin("c1")).status, 404)
    const begun = yield* begin("c2")
    const { searchParams } = yield* provider.signIn(begun.json.data.redirectTo, { email, email_verified: true })
    const state = searchParams.get("state") ?? ""
    const end = (changed: string, query: string) => {
      const back = new URLSearchParams(searchParams)
      back.set("state", changed)
      // The session that the browser has is of another cell.
      const headers = { cookie: `${cookieOf(begun)}; ${first.cookie}` }
      return Effect.map(asStaff("GET", `/session/oidc/callback?${back}${query}`, undefined, { headers }), (answer) => [
        answer.headers.get("location"),
        cookieOf(answer).slice(0, 17)
      ])
    }
    const expired = "/console/sign-in?error=expired"
    assert.strictEqual((yield* end(ofCell(state, "c1"), "&cell=c2"))[0], expired)
    assert.deepStrictEqual(yield* end(state, "&cell=c1"), ["/console", "care_staff=cs_c2_"])
    assert.strictEqual((yield* end(state, ""))[0], expired)
  })
})

testsOn(layerTwoCells, "two cells with one account of Stripe", (it) => {
  it("each event reaches both, and only the cell of its organization has it", function* () {
    const stripe = yield* atStripe
    const { clinic } = yield* clinicWithPatient
    const { clinic: otherClinic } = yield* patientOfSecondCell
    const eventsOf = (intentId: string) =>
      inDatabase("payments", (sql) => sql`SELECT id FROM payments.payment_events WHERE intent_id = ${intentId}`)
    const intentsOf = (id: string) =>
      inDatabase("payments", (sql) => sql`SELECT id FROM payments.payment_intents WHERE id = ${id}`)
    for (const { key, ...own } of [clinic, otherClinic]) {
      const { json: intent } = yield* call("POST", "/api/v1/payments/intent", { key, body: { amount: 299 } })
      const id = idIn(intent.data.paymentIntentSecret)
      const caseId = yield* createAbandonedCase({ ...own, key }, id)
      const untilPayment = (status: string) =>
        until(admin("GET", `/payments?caseId=${caseId}`), ({ json }) => json.data[0]?.status === status)
      yield* stripe.confirm(id, { payment_method: "pm_card_visa", return_url: "https://shop.example.com" })
      yield* untilPayment("PAID")
      yield* stripe.dispute(id)
      yield* untilPayment("IN_DISPUTE")
      yield* until(stripe.pendingDeliveries, ({ length }) => length === 0)
      const [inFirst, inSecond] = [eventsOf(id), inSecondCell(eventsOf(id))]
      const [ofOwn, ofOther] = key === clinic.key ? [inFirst, inSecond] : [inSecond, inFirst]
      assert.isAbove((yield* ofOwn).length, 1)
      assert.deepStrictEqual(yield* ofOther, [])
      const found = [yield* intentsOf(id), yield* inSecondCell(intentsOf(id))]
      assert.deepStrictEqual(
        found.map(({ length }) => length),
        key === clinic.key ? [1, 0] : [0, 1]
      )
    }
  })
})

testsOn(layerTwoCells, "objects of Stripe that name no organization", (it) => {
  it("no cell accepts an intent or a customer that another cell could accept as well", function* () {
    const first = yield* clinicWithPatient
    const second = yield* patientOfSecondCell
    const { intent, setup } = yield* askStripe(async (stripe) => {
      const { id: customer } = await stripe.customers.create()
      const confirmed = { payment_method: "pm_card_visa", return_url: "https://shop.example.com", confirm: true }
      return {
        intent: await stripe.paymentIntents.create({ amount: 29_900, currency: "usd" }),
        setup: await stripe.setupIntents.create({ customer, ...confirmed })
      }
    })
    for (const {
      clinic,
      user: { email }
    } of [first, second]) {
      const create = (type: string, id: string) => {
        const payment = { amount: 29_900, currency: "USD", providerReference: { type, id } }
        return createCase(clinic, caseBody(clinic, { payment }))
      }
      for (const [type, id, reason] of [
        ["PAYMENT_INTENT", intent.id, "no such payment intent"],
        ["SETUP_INTENT", setup.id, "no such setup intent"]
      ] as const) {
        const refused = yield* create(type, id)
        const error = `payment.providerReference.id, ${reason}`
        assert.deepStrictEqual([refused.status, refused.json.error], [422, error])
      }
      assert.strictEqual((yield* create("PAYMENT_TOKEN", "pm_card_visa")).status, 200)
      const save = (id: string) => updatePaymentInfo(clinic, { email, data: paymentInfoBody(id, "pm_card_visa") })
      const [completed, saved] = [
        yield* completeSetup(clinic, completionBody(yield* foreignSetup(email))),
        yield* save(setup.id)
      ]
      assert.deepStrictEqual([completed.status, saved.status], [401, 400])
      assert.strictEqual((yield* save(yield* foreignSetup(undefined, {}, false))).status, 200)
    }
  })
})

testsOn(layerMisnamedCell, "a cell whose services have the CELL of another", (it) => {
  it("gets no request, and readiness and the log show it", function* () {
    const { output } = yield* Suite
    const { json: readiness } = yield* call("GET", "/health/ready")
    assert.sameMembers(readiness.away, ["c2/auth", "c2/cases", "c2/payments", "c2/scheduling"])
    assert.strictEqual((yield* createOrganization("c2")).status, 503)
    assert.include(output.join("\n"), "A service has CELL=c1, but its caller calls it a service of the cell c2")
    const { json, status } = yield* admin("GET", "/organizations")
    assert.deepStrictEqual([status, json.cellsAway], [200, ["c2"]])
    assert.strictEqual((yield* createOrganization()).json.cell, "c1")
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
