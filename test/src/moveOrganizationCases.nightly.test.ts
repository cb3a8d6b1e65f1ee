import { randomUUID } from "node:crypto"
import { cpSync, statSync } from "node:fs"
import { basename, join } from "node:path"
import { moveOrganization, runCare } from "@care/cli"
import type { ServiceName } from "@care/domain/peers"
import { serveListener, temporaryFolder } from "@care/service-kit/testing"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert } from "@effect/vitest"
import { Clock, ConfigProvider, Console, Deferred, Effect, Fiber, Pool, Record } from "effect"
import { newRecordId } from "../../packages/audit/src/recordId.ts"
import { contracts } from "../operations/contracts.ts"
import { appointmentsOf, book, bookingBody, openSlot } from "./harness/appointments.ts"
import { calendarEvent, createEvent } from "./harness/calendar.ts"
import { admin, call } from "./harness/call.ts"
import { inDatabase, inEveryDatabase } from "./harness/database.ts"
import { addEndpoint } from "./harness/endpoints.ts"
import { erase, patientOf, tablesWith } from "./harness/erasures.ts"
import { type Clinic, caseBody, createCase, newPatient } from "./harness/fixtures.ts"
import { fixturesOf, patientsNamed, sendOperation } from "./harness/fixturesOf.ts"
import { caseOf, createAbandonedCase, intentId, opened, succeeded } from "./harness/gatewayEvents.ts"
import {
  digestsOf,
  layerMovingCells,
  makeClinicIn,
  makeMovingClinic,
  moverEnvironment,
  movesOf,
  moveWithoutWaits,
  OtherCell
} from "./harness/layerMovingCells.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { openEverything } from "./harness/openEverything.ts"
import { sendOrderUpdate } from "./harness/pharmacy.ts"
import { placeOrder } from "./harness/placeOrder.ts"
import { sendSchedulingEvent } from "./harness/providerEvents.ts"
import { requestsOf } from "./harness/rolling/sendAllOperations.ts"
import { runAudit } from "./harness/runAudit.ts"
import { Suite } from "./harness/Suite.ts"
import { SuiteTime } from "./harness/SuiteTime.ts"
import { atSchedulingProvider } from "./harness/schedulingProvider.ts"
import { refresh, signIn } from "./harness/signIn.ts"
import { sendEvent } from "./harness/stripe.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"
import { getProfile } from "./harness/users.ts"

/** Runs `care org move` with an environment, and returns what it prints on standard error if it fails. */
const runMoveIn = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string>>,
  ...parameters: ReadonlyArray<string>
) {
  const errors: Array<string> = []
  const capturing: Console.Console = Object.assign(Object.create(console), {
    log: () => undefined,
    error: (line: string) => errors.push(line)
  })
  return yield* runCare(["org", "move", ...parameters]).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
    Effect.provideService(Console.Console, capturing),
    Effect.match({ onFailure: () => errors.at(-1) ?? "", onSuccess: () => undefined })
  )
})

const runMove = (...parameters: ReadonlyArray<string>) =>
  Effect.flatMap(moverEnvironment, (environment) => runMoveIn(environment, ...parameters))

const looseRows = {
  payments: `
    SELECT to_jsonb(event)::text AS row FROM payments.payment_events AS event WHERE intent_id = ANY($1)
    UNION ALL SELECT to_jsonb(intent)::text FROM payments.payment_intents AS intent
    WHERE id = ANY($1) AND organization_id IS NULL
  `,
  scheduling: `
    SELECT to_jsonb(event)::text AS row FROM scheduling.provider_events AS event
    WHERE agent_event_id = ANY($1) OR moved_from = ANY($1)
  `
}

/** Returns the rows of a cell that name no organization, and are about intents and meetings. */
const looseRowsOf = Effect.fnUntraced(function* (
  { owners }: Suite["Service"],
  ids: Readonly<Record<keyof typeof looseRows, ReadonlyArray<string>>>
) {
  const found = yield* Effect.forEach(Record.keys(looseRows), (service) =>
    Pool.use(owners[service], (sql) => sql.unsafe<{ row: string }>(looseRows[service], [ids[service]]))
  )
  return found.map((rows) => rows.map(({ row }) => row).sort())
})

const callbackCount = /^http_server_request_duration_seconds_count\{[^}]*route="\/webhooks\/pharmacy"[^}]*\} (\d+)/gm

testsOn(layerMovingCells, "an organization that moves to another cell", (it) => {
  it("rows that name no organization move with what they are about, and no others", function* () {
    const provider = yield* atSchedulingProvider
    const cells = [yield* Suite, yield* OtherCell] as const
    const use = Effect.fnUntraced(function* (clinic: Clinic) {
      const [ofShop, ofSuite] = [intentId(), intentId()]
      for (const [intent, ...named] of [[ofShop], [ofSuite, clinic.organizationId]] as const) {
        const abandoned = yield* createAbandonedCase(clinic, intent)
        assert.strictEqual((yield* sendEvent(succeeded(intent, ...named))).status, 200)
        yield* until(caseOf(abandoned), ({ status }) => status === opened.status)
      }
      // The job of each event moves, too.
      const jobs = yield* inDatabase(
        "payments",
        (sql) => sql`
          SELECT FROM payments.jobs
          WHERE organization_id = ${clinic.organizationId}::uuid AND queue_name = 'payment-event'
        `
      )
      assert.lengthOf(jobs, 2)
      // As one of before there were several cells.
      yield* inDatabase(
        "payments",
        (sql) => sql`UPDATE payments.payment_intents SET organization_id = NULL WHERE id = ${ofShop}`
      )
      const body = caseBody(clinic)
      yield* createCase(clinic, body)
      yield* book(clinic, bookingBody(body.user.email, yield* openSlot(clinic)))
      const [{ agentEventId }] = yield* appointmentsOf(clinic, body.user.email)
      const later = yield* openSlot(clinic, 10)
      yield* provider.reschedule(agentEventId, "invitee", later)
      const [moved] = yield* until(appointmentsOf(clinic, body.user.email), ([found]) => found?.start === later)
      const ids = { payments: [ofShop, ofSuite], scheduling: [agentEventId, moved.agentEventId] }
      // The first meeting was created and canceled, the second one created.
      yield* until(looseRowsOf(yield* Suite, ids), ([, reports = []]) => reports.length === 3)
      return ids
    })
    yield* provider.setDeliveryMode({})
    const clinic = yield* makeMovingClinic
    const [own, others] = [yield* use(clinic), yield* use(yield* makeMovingClinic)]
    yield* provider.setDeliveryMode({ isHeld: true })
    const rows = () => Effect.all(cells.flatMap((cell) => [looseRowsOf(cell, own), looseRowsOf(cell, others)]))
    const [before, othersBefore, , othersThere] = yield* rows()
    const [ofPayments = [], ofScheduling = []] = before ?? []
    assert.lengthOf(ofPayments, 3)
    assert.lengthOf(ofScheduling, 3)
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveWithoutWaits(there)
    assert.deepStrictEqual(yield* rows(), [[[], []], othersBefore, before, othersThere])
  }, 120_000)

  it("a role that lacks a right is refused with the statement that grants it", function* () {
    const { organizationId } = yield* makeMovingClinic
    const environment = yield* moverEnvironment
    for (const [role, isMember, right] of [
      ["mover_without_membership", false, "\\S+"],
      ["mover_without_parameter", true, "SET ON PARAMETER session_replication_role"]
    ] as const) {
      for (const [cell, { owners }] of [
        ["c1", yield* Suite],
        ["c2", yield* OtherCell]
      ] as const) {
        for (const service of Record.keys(owners)) {
          yield* Pool.use(owners[service], (sql) =>
            sql.unsafe(`
              DO $$ BEGIN
                IF to_regrole('${role}') IS NULL THEN CREATE ROLE ${role} LOGIN PASSWORD '${role}' NOSUPERUSER; END IF;
                IF ${isMember} THEN
                  EXECUTE format('GRANT %s TO ${role}', (SELECT nspowner::regrole FROM pg_namespace WHERE nspname = '${service}'));
                END IF;
              END $$
            `)
          )
        }
        const databases: Record<string, Record<string, string>> = JSON.parse(environment.CELL_DATABASES)
        databases[cell] = Record.map(databases[cell] ?? {}, (url) => {
          const changed = new URL(url)
          changed.username = role
          changed.password = role
          return changed.toString()
        })
        const CELL_DATABASES = JSON.stringify(databases)
        const refused = yield* runMoveIn({ ...environment, CELL_DATABASES }, organizationId, "--to", "c2")
        const message = `^The role in CELL_DATABASES for auth of ${cell} lacks a right: GRANT ${right} TO ${role}\\.$`
        assert.match(refused ?? "", RegExp(message))
      }
    }
  })

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
    yield* moveWithoutWaits(there)
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
    yield* moveWithoutWaits(there)
    yield* cancelled(early)
    yield* cancelled(yield* bookOne)
    const ordered = yield* placeOrder(clinic, caseId)
    assert.strictEqual(ordered.status, 200)
    const { urls } = yield* OtherCell
    const received = Effect.map(metricsOf(urls.cases), (text) =>
      Array.from(text.matchAll(callbackCount), ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0)
    )
    const before = yield* received
    assert.strictEqual(yield* sendOrderUpdate(ordered.json.data.order.id, { status: "SHIPPED" }), 200)
    assert.strictEqual((yield* received) - before, 1)
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
      ["auth", "secret_fingerprints", "PHI_KEY", "PHI_KEY of the cell c2 does not have each of c1"],
      ["auth", "secret_fingerprints", "JWT_SECRET", "JWT_SECRET of the cell c2 does not have each of c1"],
      [
        "cases",
        "secret_fingerprints",
        "PHARMACY_WEBHOOK_SECRET",
        "(PHARMACY_WEBHOOK_SECRET=own,other), and restart cases."
      ],
      ["payments", "secret_fingerprints", "STRIPE_SECRET_KEY", "STRIPE_SECRET_KEY is another one in the cell c2 than"],
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
    const first = yield* Effect.forkChild(moveWithoutWaits(there))
    yield* Deferred.await(began)
    for (const { organizationId } of [clinic, other]) {
      assert.include(yield* runMove(organizationId, "--to", "c2"), "Another care org move works on the cell c1")
    }
    yield* Fiber.interrupt(first)
    const { there: ending } = yield* movesOf(clinic.organizationId, (step) =>
      step.startsWith("cases.cases: ") ? Effect.die(new Error("The mover ends")) : Effect.void
    )
    yield* createCase(clinic, caseBody(clinic))
    yield* Effect.exit(moveWithoutWaits(ending))
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
    const neighbour = yield* makeClinicIn("c2")
    const headers = { "idempotency-key": randomUUID() }
    const repeated = call("POST", "/api/v1/cases", { key: neighbour.key, body: caseBody(neighbour), headers })
    const { json: first } = yield* repeated
    const lateRequest = randomUUID()
    const caseIds = new Set<string>([(yield* createCase(clinic, caseBody(clinic))).json.data.caseId])
    const listedOnce = Effect.gen(function* () {
      // The gateway asks one cell about an organization, and all about the lists of everybody.
      for (const filter of [`organizationId=${clinic.organizationId}`, "limit=100"]) {
        const cases: ReadonlyArray<{ readonly id: string }> = (yield* admin("GET", `/cases?${filter}`)).json.data
        assert.sameMembers(
          cases.flatMap(({ id }) => (caseIds.has(id) ? [id] : [])),
          [...caseIds]
        )
      }
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
          // A read of before that a restarted process finds in its outbox.
          if (step.startsWith("The audit is in")) {
            const at = new Date()
            yield* inDatabase(
              "cases",
              (sql) => sql`
                INSERT INTO cases.audit_waiting (organization_id, id, at, action, actor_type, request_id, kinds)
                VALUES (${clinic.organizationId}::uuid, ${newRecordId(at)}, ${at}, 'CASE_READ', 'OPERATOR', ${lateRequest}, '{}')
              `
            )
          }
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
    assert.deepStrictEqual((yield* repeated).json, first)
    // It is linked in the new cell soon.
    yield* until(admin("GET", `/audit?organizationId=${clinic.organizationId}&limit=100`), ({ json }) =>
      json.data.some(({ requestId }: { readonly requestId: string }) => requestId === lateRequest)
    )
  }, 120_000)

  for (const phase of ["Copying ", "Waiting for jobs"]) {
    it(`the move waits at "${phase}" for a transaction that wrote before, and takes what it wrote`, function* () {
      const clinic = yield* makeMovingClinic
      const name = `Renamed ${randomUUID()}`
      const bystander = yield* makeMovingClinic
      const [wrote, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<number>()]
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
              // Others do not wait behind the mover.
              const ends = Effect.gen(function* () {
                yield* until(isWaited, ({ length }) => length > 0)
                const { status } = yield* admin("PATCH", `/organizations/${bystander.organizationId}`, { name })
                yield* Deferred.succeed(commit, status)
              })
              yield* Effect.forkDetach(ends)
            })
          : Effect.void
      )
      yield* moveWithoutWaits(there)
      yield* Effect.flatMap(Deferred.await(writer), Fiber.join)
      const { json } = yield* admin("GET", `/organizations/${clinic.organizationId}`)
      assert.deepStrictEqual([json.cell, json.name, yield* Deferred.await(commit)], ["c2", name, 200])
    }, 120_000)
  }

  it("what a restored backup of the old cell brings back is removed as docs/restore.md says", function* () {
    const clinic = yield* makeMovingClinic
    const { json } = yield* createCase(clinic, caseBody(clinic))
    const detail = call("GET", `/api/v1/customer-case-detail?caseId=${json.data.caseId}`, { key: clinic.key })
    const before = (yield* detail).json
    const isOwn = `organization_id = '${clinic.organizationId}'`
    yield* inDatabase("cases", (sql) =>
      sql.unsafe(`CREATE TABLE public.moved_backup AS SELECT * FROM cases.products WHERE ${isOwn}`)
    )
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveWithoutWaits(there)
    yield* inDatabase("cases", (sql) => sql.unsafe("INSERT INTO cases.products SELECT * FROM public.moved_backup"))
    const linked = yield* Pool.use((yield* OtherCell).owners.cases, (sql) =>
      sql.unsafe<{ id: string; action: string }>(`SELECT id, action FROM cases.audit_entries WHERE ${isOwn} LIMIT 1`)
    )
    for (const { action, id } of linked) {
      yield* inDatabase(
        "cases",
        (sql) => sql`
          INSERT INTO cases.audit_waiting (organization_id, id, at, action, actor_type, request_id, kinds)
          VALUES (${clinic.organizationId}::uuid, ${id}::uuid, now(), ${action}, 'OPERATOR', 'restored', '{}')
        `
      )
    }
    yield* inEveryDatabase((sql, service) => sql.unsafe(`DELETE FROM ${service}.organization_moves WHERE ${isOwn}`))
    yield* inEveryDatabase((sql, service) =>
      sql.unsafe(`SELECT ${service}.set_move('${clinic.organizationId}', 'c2', 'CLEARING')`)
    )
    assert.isUndefined(yield* runMove(clinic.organizationId, "--to", "c2"))
    assert.deepStrictEqual(yield* digestsOf(yield* Suite, clinic.organizationId), {})
    assert.deepStrictEqual((yield* detail).json, before)
    assert.strictEqual((yield* createCase(clinic, caseBody(clinic))).status, 200)
    assert.lengthOf(linked, 1)
    const { json: audit } = yield* admin("GET", `/audit?organizationId=${clinic.organizationId}&limit=100`)
    assert.notInclude(
      audit.data.map(({ requestId }: { readonly requestId: string }) => requestId),
      "restored"
    )
  }, 120_000)

  it("a patient who was erased stays erased, and an erasure that is requested while the organization moves is completed", function* () {
    const clinic = yield* makeMovingClinic
    const patientNamed = Effect.fnUntraced(function* (lastName: string) {
      const { json } = yield* createCase(clinic, caseBody(clinic, { user: { ...newPatient(), lastName } }))
      const caseId: string = json.data.caseId
      yield* createEvent(clinic, caseId, calendarEvent({ title: lastName }))
      return yield* patientOf(clinic, caseId)
    })
    const names = {
      before: "Rotkehlchen",
      copying: "Zaunkoenig",
      draining: "Stieglitz",
      frozen: "Gimpel",
      never: "Nachtigall"
    }
    const ids = yield* Effect.all(Record.map(names, patientNamed))
    assert.strictEqual((yield* erase(ids.before, true)).status, 200)
    // The erasure is broken off in the old cell, and its job moves.
    const breakOff = Effect.andThen(
      inDatabase("scheduling", (sql) =>
        Effect.andThen(
          sql.unsafe(`
            CREATE FUNCTION scheduling.broken() RETURNS trigger LANGUAGE plpgsql
            AS $$ BEGIN RAISE EXCEPTION 'broken off'; END $$
          `),
          sql.unsafe(`
            CREATE TRIGGER broken BEFORE UPDATE ON scheduling.patient_keys
            FOR EACH STATEMENT EXECUTE FUNCTION scheduling.broken()
          `)
        )
      ),
      Effect.map(erase(ids.draining, true), ({ json }) => json.pending)
    )
    const statuses: Record<string, unknown> = {}
    const { there } = yield* movesOf(clinic.organizationId, (step) =>
      Effect.orDie(
        Effect.gen(function* () {
          if (step.startsWith("cases.cases: ")) statuses["copying"] = (yield* erase(ids.copying, true)).status
          if (step.startsWith("Waiting for jobs")) statuses["pending"] = yield* breakOff
          if (step === "Writes are refused") statuses["frozen"] = (yield* erase(ids.frozen, true)).status
        })
      )
    )
    yield* moveWithoutWaits(there)
    yield* inDatabase("scheduling", (sql) => sql`DROP FUNCTION scheduling.broken CASCADE`)
    assert.deepStrictEqual(statuses, { copying: 200, pending: ["scheduling"], frozen: 503 })
    assert.strictEqual((yield* erase(ids.frozen, true)).status, 200)
    const { never, ...erased } = names
    const openable = Effect.flatMap(OtherCell, (cell) => Effect.provideService(openEverything, Suite, cell))
    const left = Effect.map(openable, (tables) => Object.values(erased).flatMap((name) => tablesWith(tables, name)))
    yield* until(left, ({ length }) => length === 0)
    assert.includeMembers(tablesWith(yield* openable, never), [
      "auth.users",
      "cases.people",
      "scheduling.calendar_events"
    ])
  }, 120_000)
})

// Its sessions are of the database's time, from which each move leads the clock of a suite further away.
testsOn(layerMovingCells, "the operations of an organization that moved", (it) => {
  it("each operation works for an organization that has moved", function* () {
    const clinic = yield* makeMovingClinic
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveWithoutWaits(there)
    const suite = { ...(yield* Suite), owners: (yield* OtherCell).owners }
    const failures: Array<string> = []
    yield* Effect.gen(function* () {
      const { url } = yield* serveListener((_, response) => response.writeHead(204).end())
      yield* addEndpoint(clinic, { url })
      const fixtures = yield* fixturesOf(clinic, patientsNamed("Rosa"))
      for (const { contract, makeRequest } of requestsOf(contracts)) {
        // An archive is of a cell. Staff, who alone look at a case, sign in at the cell that they name, which `moveOrganization.test.ts` does.
        if (/^(auditArchives\.|staff|caseViewers\.)/.test(contract.id)) continue
        const request = yield* Effect.promise(async () => makeRequest(fixtures))
        const { json, status } = yield* sendOperation(clinic, contract, request)
        if (status >= 400) failures.push(`${contract.id} ${status} ${JSON.stringify(json)}`)
      }
    }).pipe(Effect.provideService(Suite, suite))
    assert.deepStrictEqual(failures, [])
  }, 300_000)
})

testsOn(layerMovingCells, "the audit of an organization that moved", (it) => {
  it("archived months are verified and read in the new cell when their files were copied and the archive was repeated", function* () {
    const { advance, clock } = yield* SuiteTime
    const run = (...flags: ReadonlyArray<string>) => Effect.provideService(runAudit(...flags), Clock.Clock, clock)
    const [clinic, other] = [yield* makeMovingClinic, yield* makeClinicIn("c2")]
    const linksOf = ({ organizationId }: Clinic) =>
      Effect.map(
        admin("GET", `/audit/links/cases/${organizationId}`),
        ({ json }): ReadonlyArray<{ readonly month: string }> => json.data
      )
    const readIn = Effect.fnUntraced(function* (each: Clinic) {
      const { json } = yield* createCase(each, caseBody(each))
      const before = (yield* linksOf(each)).length
      yield* call("GET", `/api/v1/customer-case-detail?caseId=${json.data.caseId}`, { key: each.key })
      yield* until(linksOf(each), ({ length }) => length > before)
    })
    for (let month = 0; month < 3; month += 1) {
      if (month > 0) yield* advance("32 days")
      for (const each of [clinic, other]) yield* readIn(each)
    }
    const [first = "", second = ""] = [...new Set((yield* linksOf(clinic)).map(({ month }) => month))]
    const parent = yield* temporaryFolder()
    const folders = { c1: join(parent, "c1"), c2: join(parent, "c2") }
    const archive = (month: string, cell: "c1" | "c2") => run("archive", month, "--cell", cell, "--to", folders[cell])
    for (const [month, cell] of [
      [first, "c1"],
      [second, "c1"],
      [first, "c2"]
    ] as const) {
      const { errors, isGood } = yield* archive(month, cell)
      assert.isTrue(isGood, errors)
    }
    const { there } = yield* movesOf(clinic.organizationId, () => Effect.void)
    yield* moveWithoutWaits(there)
    const verify = run("verify", "--cell", "c2", "--archive", folders.c2)
    assert.include((yield* verify).out, `${first} is archived, and is not in ${folders.c2}`)
    assert.include(
      (yield* archive(second, "c2")).errors,
      "was archived already, in another folder: copy its file from there."
    )
    cpSync(folders.c1, folders.c2, {
      recursive: true,
      filter: (path) => statSync(path).isDirectory() || basename(path).startsWith(clinic.organizationId)
    })
    for (const month of [first, second]) {
      const { errors, isGood } = yield* archive(month, "c2")
      assert.isTrue(isGood, errors)
    }
    for (const verified of [
      yield* verify,
      yield* run("verify", "--cell", "c1", "--archive", folders.c1),
      yield* run("verify", "--offline", "--archive", folders.c1),
      yield* run("verify", "--offline", "--archive", folders.c2)
    ]) {
      assert.isTrue(verified.isGood, verified.out + verified.errors)
    }
    const listed = yield* run("list", "--archive", folders.c2, "--organization", clinic.organizationId)
    for (const month of [first, second]) assert.include(listed.out, month)
  }, 120_000)
})
