import { randomUUID } from "node:crypto"
import { openIdClient, runOpenIdProvider } from "@care/auth/testing/runOpenIdProvider"
import { assert } from "@effect/vitest"
import { Effect, Record } from "effect"
import { book, bookingBody, calendarOf, openSlot } from "./harness/appointments.ts"
import { type Answer, admin, call } from "./harness/call.ts"
import { inDatabase, inEveryDatabase, jobsDone } from "./harness/database.ts"
import { addStaff, type Clinic, caseBody, createCase } from "./harness/fixtures.ts"
import { caseOf, createAbandonedCase, intentId, opened, succeeded } from "./harness/gatewayEvents.ts"
import {
  digestsOf,
  helpersOfMoves,
  layerMovingCells,
  makeClinicIn,
  makeMovingClinic,
  movesOf,
  moveWithoutWaits,
  OtherCell
} from "./harness/layerMovingCells.ts"
import { changeOrderSilently, sendOrderUpdate } from "./harness/pharmacy.ts"
import { closeCase, placeOrder } from "./harness/placeOrder.ts"
import { runAudit } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { signIn } from "./harness/signIn.ts"
import { asStaff, cookieOf, enrolPasskey, signInStaff, usePasskey } from "./harness/staff.ts"
import { sendEvent } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

testsOn(layerMovingCells, "an organization moves to another cell", (it) => {
  it("there and back: its key, its data, its idempotency keys and its callbacks find it", function* () {
    const clinic = yield* makeMovingClinic
    const bystander = yield* makeMovingClinic
    const body = caseBody(clinic)
    const key = randomUUID()
    const send = call("POST", "/api/v1/cases", { key: clinic.key, body, headers: { "idempotency-key": key } })
    const first = yield* send
    assert.strictEqual(first.status, 200)
    const caseId: string = first.json.data.caseId
    assert.strictEqual((yield* book(clinic, bookingBody(body.user.email, yield* openSlot(clinic)))).status, 200)
    const ordered = yield* placeOrder(clinic, caseId)
    assert.strictEqual(ordered.status, 200)
    const orderId: string = ordered.json.data.order.id
    yield* jobsDone("cases", "order-hand-over")
    const intents = [intentId(), intentId()]
    const abandoned = yield* Effect.forEach(intents, (intent) => createAbandonedCase(clinic, intent))
    const detail = call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    const eventIds = Effect.map(
      call("GET", `/api/v1/events?caseId=${caseId}&limit=100`, { key: clinic.key }),
      ({ json }): ReadonlyArray<string> => json.data.map(({ id }: { readonly id: string }) => id)
    )
    yield* until(eventIds, ({ length }) => length > 0)
    const email = `moved.${caseId}@example.com`
    yield* addStaff(clinic, { email, role: "SUPPORT" })
    const enrolled = yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
    let cookie = cookieOf(enrolled.answer)
    // So that its next use would be written.
    yield* inDatabase(
      "auth",
      (sql) => sql`
        UPDATE auth.staff_sessions SET last_used_at = last_used_at - interval '2 minutes'
        WHERE organization_id = ${clinic.organizationId}
      `
    )
    assert.strictEqual((yield* asStaff("POST", `/cases/${caseId}/viewers`, cookie)).status, 200)
    const calendar = yield* calendarOf(clinic, caseId)
    assert.lengthOf(calendar, 1)
    const reads = (yield* call("GET", "/api/v1/audit-records?limit=100", { key: clinic.key })).json.data.length

    const refused: Array<unknown> = []
    const whileFrozen = Effect.gen(function* () {
      const written = yield* createCase(clinic, caseBody(clinic))
      refused.push([written.status, written.json.message, Number(written.headers.get("retry-after")) > 0])
      assert.strictEqual((yield* detail).status, 200)
      assert.strictEqual((yield* asStaff("GET", `/cases/${caseId}`, cookie)).status, 200)
      assert.strictEqual((yield* createCase(bystander, caseBody(bystander))).status, 200)
    })
    const moves = yield* movesOf(clinic.organizationId, (step) =>
      step === "Writes are refused" ? whileFrozen : Effect.void
    )
    for (const [index, [move, cell]] of (
      [
        [moves.there, "c2"],
        [moves.back, "c1"]
      ] as const
    ).entries()) {
      // Its row stays in the cell that it leaves, and is replaced when it comes back.
      const name = `On the way to ${cell}`
      yield* admin("PATCH", `/organizations/${clinic.organizationId}`, { name })
      const before = (yield* detail).json
      const eventsBefore = yield* eventIds
      assert.isAbove(eventsBefore.length, 0)
      yield* moveWithoutWaits(move)
      assert.includeMembers([...(yield* eventIds)], [...eventsBefore])
      const left = cell === "c2" ? yield* Suite : yield* OtherCell
      assert.deepStrictEqual(yield* digestsOf(left, clinic.organizationId), {})
      const arrived = cell === "c2" ? yield* OtherCell : yield* Suite
      assert.property(yield* digestsOf(arrived, clinic.organizationId), "cases.case_viewers")
      for (const each of [yield* Suite, yield* OtherCell]) assert.deepStrictEqual(yield* helpersOfMoves(each), [])
      assert.deepStrictEqual((yield* detail).json, before)
      assert.deepStrictEqual(yield* calendarOf(clinic, caseId), calendar)
      assert.deepStrictEqual((yield* send).json, first.json)
      const created = yield* createCase(clinic, caseBody(clinic))
      assert.strictEqual(created.status, 200)
      // Events are only added at the end.
      const following = `/api/v1/events?caseId=${created.json.data.caseId}&after=${eventsBefore.at(-1)}`
      yield* until(call("GET", following, { key: clinic.key }), ({ json }) => json.data.length > 0)
      // Sessions of staff end, because their tokens name the cell. Passkeys move along.
      yield* until(asStaff("GET", `/cases/${caseId}`, cookie), ({ status }) => status === 401)
      cookie = cookieOf(yield* usePasskey(enrolled.authenticator, undefined, cell))
      assert.include(cookie, `cs_${cell}_`)
      assert.strictEqual((yield* asStaff("GET", `/cases/${caseId}`, cookie)).json.id, caseId)
      const { json: organization } = yield* admin("GET", `/organizations/${clinic.organizationId}`)
      assert.deepStrictEqual([organization.cell, organization.name], [cell, name])
      const listed = (yield* admin("GET", "/organizations?limit=100")).json.data
      assert.lengthOf(
        listed.filter(({ id }: { readonly id: string }) => id === clinic.organizationId),
        1
      )
      const issued = yield* admin("POST", `/organizations/${clinic.organizationId}/api-keys`, {})
      assert.include(issued.json.key, `_${cell}_`)
      // Both callbacks name c1.
      assert.strictEqual((yield* sendEvent(succeeded(intents[index] ?? ""))).status, 200)
      yield* until(caseOf(abandoned[index] ?? ""), ({ status }) => status === opened.status)
      assert.strictEqual(yield* sendOrderUpdate(orderId, { status: index === 0 ? "SHIPPED" : "DELIVERED" }), 200)
      const verified = yield* runAudit("verify")
      assert.isTrue(verified.isGood, verified.out)
      assert.include(verified.errors, `cases ${clinic.organizationId}: `)
      const audit = yield* call("GET", "/api/v1/audit-records?limit=100", { key: clinic.key })
      assert.isAtLeast(audit.json.data.length, Math.min(100, reads))
    }
    assert.deepStrictEqual(refused, Array(2).fill([503, "Service unavailable", true]))
    assert.strictEqual((yield* closeCase(clinic, caseId)).status, 200)
  }, 120_000)

  it("no row is lost, doubled or changed, and none of another organization moves", function* () {
    const clinic = yield* makeMovingClinic
    const bystander = yield* makeMovingClinic
    for (const each of [clinic, bystander]) {
      const body = caseBody(each)
      const { json } = yield* createCase(each, body)
      yield* signIn(each.key, body.user.email)
      yield* book(each, bookingBody(body.user.email, yield* openSlot(each)))
      yield* placeOrder(each, json.data.caseId)
      const email = `kept.${json.data.caseId}@example.com`
      const userId = yield* addStaff(each, { email })
      yield* enrolPasskey(cookieOf(yield* signInStaff(email)))
      const broken = yield* admin("POST", `/cases/${json.data.caseId}/break-glass`, { userId, reason: "A test" })
      assert.strictEqual(broken.status, 201)
    }
    yield* inEveryDatabase((sql, service) =>
      until(
        sql`SELECT FROM ${sql(service)}.jobs WHERE state = 'running' OR state = 'pending' AND due_at < now()`,
        ({ length }) => length === 0
      )
    )
    const cells = [yield* Suite, yield* OtherCell]
    const selected = (isSelected: (name: string) => boolean, organizationId: string) =>
      Effect.forEach(cells, (cell) =>
        Effect.map(digestsOf(cell, organizationId), (digests) =>
          Object.fromEntries(Object.entries(digests).filter(([name]) => isSelected(name)))
        )
      )
    const isAudit = (name: string) => name.includes(".audit_")
    const isOfMove = (name: string) => /organization_changes|moved_idempotency_secrets/.test(name)
    // Its own work goes on.
    const countsOfBystander = Effect.map(
      selected((name) => !/jobs|waiting|unlinked/.test(name), bystander.organizationId),
      (cells) => cells.map((digests) => Record.map(digests, (digest) => Number.parseInt(digest, 10)))
    )
    const before = yield* countsOfBystander
    const compared: Array<number> = []
    const compare = Effect.fnUntraced(function* (isSelected: (name: string) => boolean) {
      const [here = {}, there] = yield* selected(isSelected, clinic.organizationId)
      assert.deepStrictEqual(there, here)
      compared.push(Object.keys(here).length)
    })
    const { there } = yield* movesOf(clinic.organizationId, (step) =>
      Effect.orDie(
        step.startsWith("The cell c2 gets it")
          ? compare((name) => !isAudit(name) && !isOfMove(name))
          : step.startsWith("The audit is in")
            ? compare((name) => isAudit(name) && !/waiting|unlinked/.test(name))
            : Effect.void
      )
    )
    yield* moveWithoutWaits(there)
    assert.lengthOf(
      compared.filter((tables) => tables > 3),
      2
    )
    for (const [index, after] of (yield* countsOfBystander).entries()) {
      const counts = before[index] ?? {}
      assert.strictEqual(Object.keys(after).length === 0, Object.keys(counts).length === 0)
      for (const [table, count] of Object.entries(counts)) assert.isAtLeast(after[table] ?? 0, count, table)
    }
  }, 120_000)

  it("single sign-on goes on in the other cell, to which the provider's answer finds by its state", function* () {
    const { urls } = yield* Suite
    const clinic = yield* makeMovingClinic
    const provider = yield* runOpenIdProvider({ redirectUri: `${urls.gateway}/admin/v1/session/oidc/callback` })
    const domain = `moved-${randomUUID()}.example`
    const email = `jane@${domain}`
    yield* addStaff(clinic, { email, role: "SUPPORT" })
    const path = `/organizations/${clinic.organizationId}/single-sign-on`
    const setting = { ...openIdClient, issuer: provider.issuer, domains: [domain] }
    const stored = (yield* admin("PUT", path, setting)).json
    const begin = (cell: string) => asStaff("POST", `/session/oidc/start?cell=${cell}`, undefined, { body: { email } })
    const end = Effect.fnUntraced(function* (begun: Answer) {
      const { search } = yield* provider.signIn(begun.json.data.redirectTo, { email, email_verified: true })
      return yield* asStaff("GET", `/session/oidc/callback${search}`, undefined, {
        headers: { cookie: cookieOf(begun) }
      })
    })
    const early = yield* begin("c1")
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveWithoutWaits(there)
    assert.deepStrictEqual((yield* admin("GET", path)).json, stored)
    assert.strictEqual((yield* end(early)).headers.get("location"), "/console/sign-in?error=expired")
    assert.strictEqual((yield* begin("c1")).status, 404)
    const cookie = cookieOf(yield* end(yield* begin("c2")))
    assert.include(cookie, "cs_c2_")
    assert.strictEqual((yield* asStaff("GET", "/session", cookie)).json.user.email, email)
  }, 120_000)

  it("cells with one account at the pharmacy report no order of each other, but one that no cell has", function* () {
    const orderOf = Effect.fnUntraced(function* (clinic: Clinic) {
      const { json } = yield* createCase(clinic, caseBody(clinic))
      const { caseId } = json.data
      const placed = yield* placeOrder(clinic, caseId)
      const path = `/api/v1/customer-case-detail?caseId=${caseId}&includeOrders=true`
      const detail = call("GET", path, { key: clinic.key })
      yield* until(detail, (answer) => answer.json.caseDetail.orders[0].status === "SUBMITTED")
      return String(placed.json.data.order.id)
    })
    const ids = {
      c1: yield* orderOf(yield* makeMovingClinic),
      c2: yield* orderOf(yield* makeClinicIn("c2")),
      unknown: randomUUID()
    }
    // The hourly sweep may be running.
    const sweep = (cell: string) =>
      Effect.map(
        until(
          admin("POST", "/reconciliations", { cell, service: "cases" }),
          (answer) => answer.json.services[0].state === "DONE"
        ),
        ({ json }): ReadonlyArray<Readonly<Record<"action" | "id", string>>> => json.services[0].differences
      )
    for (const cell of ["c1", "c2"]) yield* sweep(cell)
    for (const id of Object.values(ids)) yield* changeOrderSilently(id, { status: "SHIPPED" })
    for (const cell of ["c1", "c2"] as const) {
      const found = yield* sweep(cell)
      assert.sameDeepMembers(
        found.flatMap(({ action, id }) => (Object.values(ids).includes(id) ? [{ action, id }] : [])),
        [
          { action: "REPAIRED", id: ids[cell] },
          { action: "REPORTED", id: ids.unknown }
        ]
      )
    }
  })
})
