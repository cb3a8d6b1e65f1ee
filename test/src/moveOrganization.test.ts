import { randomUUID } from "node:crypto"
import { moveOrganization, runCare } from "@care/cli"
import type { ServiceName } from "@care/domain/peers"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { ConfigProvider, Console, Deferred, Effect, Fiber, Pool, Record } from "effect"
import { appointmentsOf, book, bookingBody, calendarOf, openSlot } from "./harness/appointments.ts"
import { admin, call } from "./harness/call.ts"
import { inDatabase, inEveryDatabase } from "./harness/database.ts"
import { caseBody, createCase } from "./harness/fixtures.ts"
import { caseOf, createAbandonedCase, intentId, opened, succeeded } from "./harness/gatewayEvents.ts"
import {
  digestsOf,
  layerMovingCells,
  makeMovingClinic,
  moverEnvironment,
  movesOf,
  OtherCell
} from "./harness/layerMovingCells.ts"
import { sendOrderUpdate } from "./harness/pharmacy.ts"
import { closeCase, placeOrder } from "./harness/placeOrder.ts"
import { sendSchedulingEvent } from "./harness/providerEvents.ts"
import { runAudit } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { atSchedulingProvider } from "./harness/schedulingProvider.ts"
import { refresh, signIn } from "./harness/signIn.ts"
import { sendEvent } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { getProfile } from "./harness/users.ts"

/** Runs `care org move`, and returns what it prints on standard error if it fails. */
const runMove = Effect.fnUntraced(function* (...parameters: ReadonlyArray<string>) {
  const errors: Array<string> = []
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: () => undefined,
    error: (line: string) => errors.push(line)
  })
  return yield* runCare(["org", "move", ...parameters]).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(yield* moverEnvironment)),
    Effect.provideService(Console.Console, capturing),
    Effect.match({ onFailure: () => errors.at(-1) ?? "", onSuccess: () => undefined })
  )
})

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
    const intents = [intentId(), intentId()]
    const abandoned = yield* Effect.forEach(intents, (intent) => createAbandonedCase(clinic, intent))
    const detail = call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
    const eventIds = Effect.map(
      call("GET", `/api/v1/events?caseId=${caseId}&limit=100`, { key: clinic.key }),
      ({ json }): ReadonlyArray<string> => json.data.map(({ id }: { readonly id: string }) => id)
    )
    yield* until(eventIds, ({ length }) => length > 0)
    const calendar = yield* calendarOf(clinic, caseId)
    assert.lengthOf(calendar, 1)
    const reads = (yield* call("GET", "/api/v1/audit-records?limit=100", { key: clinic.key })).json.data.length

    const refused: Array<unknown> = []
    const whileFrozen = Effect.gen(function* () {
      const written = yield* createCase(clinic, caseBody(clinic))
      refused.push([written.status, written.json.message, Number(written.headers.get("retry-after")) > 0])
      assert.strictEqual((yield* detail).status, 200)
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
      const before = (yield* detail).json
      const eventsBefore = yield* eventIds
      assert.isAbove(eventsBefore.length, 0)
      yield* moveOrganization(move)
      assert.includeMembers([...(yield* eventIds)], [...eventsBefore])
      const left = cell === "c2" ? yield* Suite : yield* OtherCell
      assert.deepStrictEqual(yield* digestsOf(left, clinic.organizationId), {})
      assert.deepStrictEqual((yield* detail).json, before)
      assert.deepStrictEqual(yield* calendarOf(clinic, caseId), calendar)
      assert.deepStrictEqual((yield* send).json, first.json)
      assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
      assert.strictEqual((yield* admin("GET", `/organizations/${clinic.organizationId}`)).json.cell, cell)
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

  it("a patient stays signed in by the refresh token, and a link to a file works", function* () {
    const clinic = yield* makeMovingClinic
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const { accessToken, refreshToken } = yield* signIn(clinic.key, body.user.email)
    assert.strictEqual((yield* getProfile(clinic.key, accessToken)).status, 200)
    const { submitter } = (yield* admin("GET", `/cases/${caseId}`)).json
    const file = { fileName: "report.pdf", contentType: "application/pdf", content: "JVBERi0xLjcK" }
    yield* admin("POST", `/cases/${caseId}/attachments`, { uploadedByUserId: submitter.id, ...file })
    const detail = call(
      "GET",
      `/api/v1/customer-case-detail?caseId=${caseId}&includeAttachments=true&documentFormat=url`,
      {
        key: clinic.key
      }
    )
    const linkOf = Effect.map(detail, ({ json }): string => json.caseDetail.attachments[0].url)
    const statusOf = (link: string) => Effect.promise(async () => (await fetch(link)).status)
    const link = yield* linkOf
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveOrganization(there)
    // As an expired one: its client renews it.
    assert.strictEqual((yield* getProfile(clinic.key, accessToken)).status, 401)
    const renewed = yield* refresh(clinic.key, refreshToken)
    assert.strictEqual(renewed.status, 200)
    assert.strictEqual((yield* getProfile(clinic.key, renewed.json.accessToken)).status, 200)
    assert.deepStrictEqual([yield* statusOf(link), yield* statusOf(yield* linkOf)], [200, 200])
  }, 120_000)

  it("callbacks to its old cell reach it, also about what is new", function* () {
    const clinic = yield* makeMovingClinic
    const body = caseBody(clinic)
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    const { email } = body.user
    const provider = yield* atSchedulingProvider
    yield* provider.setDeliveryMode({ isHeld: true })
    const bookOne = Effect.gen(function* () {
      assert.strictEqual((yield* book(clinic, bookingBody(email, yield* openSlot(clinic)))).status, 200)
      const [appointment] = yield* appointmentsOf(clinic, email)
      return String(appointment.agentEventId)
    })
    // The provider sends its events to each cell that has the account. Only the old cell gets this one.
    const cancelled = Effect.fnUntraced(function* (agentEventId: string) {
      const event = `https://api.calendly.com/scheduled_events/${agentEventId}`
      const sent = yield* sendSchedulingEvent({
        event: "invitee.canceled",
        created_at: new Date().toISOString(),
        payload: { uri: `${event}/invitees/1`, event, rescheduled: false, old_invitee: null }
      })
      assert.strictEqual(sent.status, 200)
      yield* until(appointmentsOf(clinic, email), ({ length }) => length === 0)
    })
    const early = yield* bookOne
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveOrganization(there)
    yield* cancelled(early)
    yield* cancelled(yield* bookOne)
    const ordered = yield* placeOrder(clinic, caseId)
    assert.strictEqual(ordered.status, 200)
    assert.strictEqual(yield* sendOrderUpdate(ordered.json.data.order.id, { status: "SHIPPED" }), 200)
    assert.strictEqual(yield* sendOrderUpdate(randomUUID(), { status: "SHIPPED" }), 404)
    const intent = intentId()
    const abandoned = yield* createAbandonedCase(clinic, intent)
    assert.strictEqual((yield* sendEvent(succeeded(intent, clinic.organizationId))).status, 200)
    yield* until(caseOf(abandoned), ({ status }) => status === opened.status)
  }, 120_000)

  it("a move is refused that the cells are not prepared for, and while another one is not finished", function* () {
    const clinic = yield* makeMovingClinic
    const other = yield* makeMovingClinic
    const inOther = Effect.fnUntraced(function* (service: ServiceName, statement: string) {
      const { owners } = yield* OtherCell
      yield* Pool.use(owners[service], (sql) => sql.unsafe(statement))
    })
    const refusals = [
      ["auth", "secret_fingerprints", "PHI_KEY", "auth of the cell c2 does not accept each PHI_KEY of c1"],
      ["auth", "secret_fingerprints", "JWT_SECRET", "auth of the cell c2 does not accept each JWT_SECRET of c1"],
      ["cases", "secret_fingerprints", "PHARMACY_WEBHOOK_SECRET", "cases of the cell c2 does not accept each PHARMACY"],
      [
        "payments",
        "secret_fingerprints",
        "STRIPE_SECRET_KEY",
        "payments has another STRIPE_SECRET_KEY in the cell c2 than"
      ],
      ["scheduling", "migrations", "create_organization_moves", "The schema scheduling has other migrations"]
    ] as const
    for (const [service, table, name, message] of refusals) {
      const kept = `${service}.kept_${table}`
      yield* inOther(service, `CREATE TABLE ${kept} AS SELECT * FROM ${service}.${table} WHERE name = '${name}'`)
      yield* inOther(service, `DELETE FROM ${service}.${table} WHERE name = '${name}'`)
      const refused = yield* runMove(clinic.organizationId, "--to", "c2")
      yield* inOther(service, `INSERT INTO ${service}.${table} SELECT * FROM ${kept}`)
      yield* inOther(service, `DROP TABLE ${kept}`)
      assert.include(refused, message)
    }
    const archivedBy = randomUUID()
    yield* createCase(clinic, caseBody(clinic))
    yield* until(
      inDatabase(
        "cases",
        (sql) => sql`SELECT FROM cases.audit_entries WHERE organization_id = ${clinic.organizationId}::uuid`
      ),
      ({ length }) => length > 0
    )
    yield* inOther(
      "cases",
      `INSERT INTO cases.audit_checkpoints
       SELECT '${archivedBy}', to_char(now(), 'YYYYMM')::integer, 0, '', 0, '', '', now(), now()`
    )
    assert.include(yield* runMove(clinic.organizationId, "--to", "c2"), "and c1 has not: run care audit archive")
    yield* Pool.use((yield* OtherCell).owners.cases, (sql) =>
      sql.withTransaction(
        Effect.andThen(
          sql`SET LOCAL session_replication_role = replica`,
          sql`DELETE FROM cases.audit_checkpoints WHERE organization_id = ${archivedBy}::uuid`
        )
      )
    )
    assert.include(
      yield* runMove(clinic.organizationId, "--to", "c9"),
      "CELL_DATABASES has no cell c9: it has c1 and c2."
    )
    assert.include(yield* runMove(randomUUID(), "--to", "c2"), "not found")

    const [began, goOn] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    const { there } = yield* movesOf(clinic.organizationId, (step) =>
      step.startsWith("Copying ")
        ? Effect.andThen(Deferred.succeed(began, undefined), Deferred.await(goOn))
        : Effect.void
    )
    const first = yield* Effect.forkChild(moveOrganization(there))
    yield* Deferred.await(began)
    for (const { organizationId } of [clinic, other]) {
      assert.include(yield* runMove(organizationId, "--to", "c2"), "Another care org move works on the cell c1")
    }
    yield* Fiber.interrupt(first)
    const { there: ending } = yield* movesOf(clinic.organizationId, (step) =>
      step.startsWith("cases.cases: ") ? Effect.die(new Error("The mover ends")) : Effect.void
    )
    yield* createCase(clinic, caseBody(clinic))
    yield* Effect.exit(moveOrganization(ending))
    const unfinished = `unfinished move of the organization ${clinic.organizationId}: end it first, by care org move ${clinic.organizationId} --to c2.`
    assert.include(yield* runMove(other.organizationId, "--to", "c2"), unfinished)
    const archive = yield* runAudit("archive", "2026-01", "--cell", "c2", "--to", "none")
    assert.include(archive.errors, `${clinic.organizationId} moves from or to this cell`)
    assert.isUndefined(yield* runMove(clinic.organizationId, "--to", "c2", "--cancel"))
    const listed = (yield* admin("GET", "/organizations?limit=100")).json.data
    assert.lengthOf(
      listed.filter(({ id }: { readonly id: string }) => id === clinic.organizationId),
      1
    )
    assert.isUndefined(yield* runMove(clinic.organizationId, "--to", "c2"))
    assert.isUndefined(yield* runMove(clinic.organizationId, "--to", "c2"))
    assert.strictEqual((yield* admin("GET", `/organizations/${clinic.organizationId}`)).json.cell, "c2")
  }, 120_000)

  it("while its writes are refused, and until its rows are removed, others notice nothing and no list shows it twice", function* () {
    const clinic = yield* makeMovingClinic
    const bystander = yield* makeMovingClinic
    const caseIds = new Set<string>([(yield* createCase(clinic, caseBody(clinic))).json.data.caseId])
    const listedOnce = Effect.gen(function* () {
      const cases = (yield* admin("GET", `/cases?organizationId=${clinic.organizationId}`)).json.data
      assert.sameMembers(
        cases.map(({ id }: { readonly id: string }) => id),
        [...caseIds]
      )
      const records: ReadonlyArray<{ readonly id: string }> = (yield* admin(
        "GET",
        `/audit?organizationId=${clinic.organizationId}&limit=100`
      )).json.data
      assert.lengthOf(new Set(records.map(({ id }) => id)), records.length)
    })
    const relayed = Effect.gen(function* () {
      // An entry of the organization waits for its event.
      yield* inDatabase("cases", (sql) =>
        sql.withTransaction(
          Effect.andThen(
            sql`SET LOCAL session_replication_role = replica`,
            sql`UPDATE cases.case_activity SET awaits_event = true WHERE organization_id = ${clinic.organizationId}::uuid`
          )
        )
      )
      const created = yield* createCase(bystander, caseBody(bystander))
      yield* until(
        inDatabase(
          "cases",
          (sql) => sql`SELECT FROM cases.monthly_events WHERE case_id = ${created.json.data.caseId}::uuid`
        ),
        ({ length }) => length > 0
      )
      yield* inDatabase("cases", (sql) =>
        sql.withTransaction(
          Effect.andThen(
            sql`SET LOCAL session_replication_role = replica`,
            sql`UPDATE cases.case_activity SET awaits_event = false WHERE organization_id = ${clinic.organizationId}::uuid`
          )
        )
      )
    })
    const { there } = yield* movesOf(clinic.organizationId, (step) =>
      Effect.orDie(
        Effect.gen(function* () {
          if (step === "Writes are refused") yield* relayed
          yield* listedOnce
          // Its audit is not there yet.
          if (step.startsWith("The organization is in the cell c2")) {
            const providerReference = { type: "PAYMENT_TOKEN", id: "pm_card_visa" }
            const payment = { amount: 299, currency: "USD", providerReference }
            const created = yield* createCase(clinic, caseBody(clinic, { payment }))
            assert.strictEqual(created.status, 200)
            const { caseId } = created.json.data
            caseIds.add(caseId)
            const paid = Pool.use(
              (yield* OtherCell).owners.payments,
              (sql) => sql`SELECT FROM payments.payments WHERE case_id = ${caseId}::uuid`
            )
            yield* until(paid, ({ length }) => length > 0)
          }
        })
      )
    )
    yield* moveOrganization(there)
    yield* listedOnce
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
    yield* moveOrganization(there)
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

  for (const phase of ["Copying ", "Waiting for jobs"]) {
    it(`the move waits at "${phase}" for a transaction that wrote before, and takes what it wrote`, function* () {
      const clinic = yield* makeMovingClinic
      const name = `Renamed ${randomUUID()}`
      const [wrote, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const rename = inDatabase("auth", (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`UPDATE auth.organizations SET name = ${name} WHERE id = ${clinic.organizationId}::uuid`
            yield* Deferred.succeed(wrote, undefined)
            yield* Deferred.await(commit)
          })
        )
      )
      const isWaited = inDatabase(
        "auth",
        (sql) => sql`SELECT FROM pg_stat_activity WHERE application_name = 'care-move' AND wait_event_type = 'Lock'`
      )
      const writer = yield* Deferred.make<Fiber.Fiber<unknown, unknown>>()
      const { there } = yield* movesOf(clinic.organizationId, (step) =>
        step.startsWith(phase)
          ? Effect.gen(function* () {
              yield* Deferred.succeed(writer, yield* Effect.forkDetach(rename))
              yield* Deferred.await(wrote)
              const ends = Effect.andThen(
                until(isWaited, ({ length }) => length > 0),
                Deferred.succeed(commit, undefined)
              )
              yield* Effect.forkDetach(ends)
            })
          : Effect.void
      )
      yield* moveOrganization(there)
      yield* Effect.flatMap(Deferred.await(writer), Fiber.join)
      const { json } = yield* admin("GET", `/organizations/${clinic.organizationId}`)
      assert.deepStrictEqual([json.cell, json.name], ["c2", name])
    }, 120_000)
  }

  it("what a restored backup of the old cell brings back is removed as docs/operations.md says", function* () {
    const clinic = yield* makeMovingClinic
    const { json } = yield* createCase(clinic, caseBody(clinic))
    const detail = call("GET", `/api/v1/customer-case-detail?caseId=${json.data.caseId}`, { key: clinic.key })
    const before = (yield* detail).json
    const isOwn = `organization_id = '${clinic.organizationId}'`
    yield* inDatabase("cases", (sql) =>
      sql.unsafe(`CREATE TABLE public.moved_backup AS SELECT * FROM cases.products WHERE ${isOwn}`)
    )
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveOrganization(there)
    yield* inDatabase("cases", (sql) => sql.unsafe("INSERT INTO cases.products SELECT * FROM public.moved_backup"))
    yield* inEveryDatabase((sql, service) => sql.unsafe(`DELETE FROM ${service}.organization_moves WHERE ${isOwn}`))
    yield* inEveryDatabase((sql, service) =>
      sql.unsafe(`SELECT ${service}.set_move('${clinic.organizationId}', 'c2', 'CLEARING')`)
    )
    assert.isUndefined(yield* runMove(clinic.organizationId, "--to", "c2"))
    assert.deepStrictEqual(yield* digestsOf(yield* Suite, clinic.organizationId), {})
    assert.deepStrictEqual((yield* detail).json, before)
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
  }, 120_000)
})
