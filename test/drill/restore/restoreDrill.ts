import type { StartSettings } from "@care/sandbox"
import { Effect, Exit, Fiber, Schedule, Scope } from "effect"
import { call } from "../../src/harness/call.ts"
import { inDatabase } from "../../src/harness/database.ts"
import { tablesWith } from "../../src/harness/erasures.ts"
import type { Clinic } from "../../src/harness/fixtures.ts"
import { openEverything } from "../../src/harness/openEverything.ts"
import { changeOrderSilently } from "../../src/harness/pharmacy.ts"
import { type ReceivedEvent, receiveEvents } from "../../src/harness/receiveEvents.ts"
import { Suite } from "../../src/harness/Suite.ts"
import { idOf, isAccepted, resultOf, type Sent, send } from "./load.ts"
import { loseDatabase } from "./loseDatabase.ts"
import { type AtProviders, atProviders, inDatabases, orphans, statesOf, storedResults } from "./providers.ts"
import { type Found, reconcile } from "./reconcile.ts"
import { startDrill } from "./startDrill.ts"
import { untilDone } from "./untilDone.ts"

type Loss = Effect.Success<ReturnType<typeof loseDatabase>>

/** Gets what the drill finds, in sentences. */
interface Report {
  readonly say: (sentence: string) => void
  /** Says the first sentence if something is as it must be, or else the second, which is a problem. */
  readonly check: (isRight: boolean, right: string, wrong: string) => void
}

const seconds = (millis: number): string => `${(millis / 1000).toFixed(1)} s`

const countsOf = (requests: ReadonlyArray<Sent>) => {
  const count = (kind: Sent["kind"]) => requests.filter((one) => one.kind === kind).length
  return `${count("case")} cases, ${count("order")} orders, ${count("hold")} holds of money and ${count("visit")} visits`
}

const tablesOf = (mark: string) => Effect.map(openEverything, (tables) => tablesWith(tables, mark))

// Requests a path until the first success, and returns it with its time.
const firstSuccess = (clinic: Clinic, path: string) =>
  call("GET", path, { key: clinic.key }).pipe(
    Effect.catchCause(() => Effect.undefined),
    Effect.repeat({ until: (answer) => answer?.status === 200, schedule: Schedule.spaced("20 millis") }),
    Effect.map((answer) => ({ text: JSON.stringify(answer?.json), at: performance.now() }))
  )

/** Starts the suite on the restored database, and asks for a patient who was erased after the backup from before its start on. */
const startAgain = Effect.fnUntraced(function* (
  { check, say }: Report,
  { clinic, destroyedAt, patient }: Loss,
  start: Effect.Effect<unknown, unknown, Scope.Scope>
) {
  const inBackup = yield* tablesOf(patient.mark)
  check(
    inBackup.length > 0,
    `With PHI_KEY the backup shows a patient who was erased after it: ${inBackup.join(", ")}.`,
    "The backup has no data of the patient who was erased after it, so that this drill proves nothing about erasures."
  )
  const shown = yield* Effect.forkScoped(firstSuccess(clinic, `/api/v1/customer-case-detail?caseId=${patient.caseId}`))
  yield* start
  const readyAt = performance.now()
  const afterStart = yield* tablesOf(patient.mark)
  const { at, text } = yield* Fiber.join(shown)
  say(
    `The suite is ready ${seconds(readyAt - destroyedAt)} after the loss. The first request was answered after ${seconds(at - destroyedAt)}.`
  )
  check(
    afterStart.length === 0 && !text.includes(patient.mark),
    "The services erased the patient by the list of erasures before they answered: nothing of them can be opened.",
    `The erased patient came back: ${afterStart.join(", ") || "in an answer"}.`
  )
})

// Sweeps until what Stripe has of ours is known here.
const reconcileAll = Effect.fnUntraced(function* ({ held, paid }: AtProviders) {
  const found = new Map<string, Found>()
  const round = Effect.gen(function* () {
    for (const difference of yield* reconcile) found.set(`${difference.what} ${difference.id}`, difference)
    const rows = yield* inDatabase("payments", (sql) => sql<{ id: string }>`SELECT id FROM payments.payment_intents`)
    const known = new Set(rows.map(({ id }) => id))
    return [...paid, ...held].every((id) => known.has(id))
  })
  yield* untilDone(round, (isKnown) => isKnown)
  return [...found.values()]
})

/** Compares the restored database with the third parties, which know more, and lets the services reconcile. */
const compare = Effect.fnUntraced(function* (
  { check, say }: Report,
  { changed, clinic, since, time }: Loss,
  received: ReadonlyArray<ReceivedEvent>,
  pharmacyFile: string
) {
  const stored = yield* storedResults(clinic)
  const lostAnswers = since.filter((one) => isAccepted(one) && !stored.has(resultOf(one)))
  say(`Of what was answered since ${time} the database has lost ${countsOf(lostAnswers)}.`)
  const lacking = Effect.gen(function* () {
    return orphans(yield* atProviders(clinic, pharmacyFile), yield* inDatabases(clinic))
  })
  const before = yield* lacking
  say(
    `It lacks what third parties have: ${before.paid.length} paid and ${before.held.length} held payments at Stripe, ` +
      `${before.meetings.length} meetings at the scheduling provider, ${before.orders.length} orders at the pharmacy.`
  )
  const events = yield* inDatabase("cases", (sql) => sql<{ id: string }>`SELECT id FROM cases.events`)
  const known = new Set(events.map(({ id }) => id))
  const unknown = received.filter(({ headers }) => !known.has(headers["webhook-id"] ?? ""))
  say(`The partner had received ${unknown.length} webhooks about what is lost.`)

  // The pharmacy goes on with an order that is lost here.
  const order = lostAnswers.find(
    ({ kind, answer }) => kind === "order" && before.orders.includes(answer?.json.data.order.id)
  )
  if (order !== undefined) yield* changeOrderSilently(idOf(order), { status: "SHIPPED" })
  const found = yield* reconcileAll(before)
  const groups = Map.groupBy(found, ({ action, what }) => `${action.toLowerCase()}: ${what}`)
  for (const [group, { length }] of groups) say(`Reconciliation, ${length} ${group}.`)
  const states = yield* statesOf(changed)
  check(
    states === "PAID, SHIPPED, CANCELLED",
    "A payment that was captured, an order that was shipped and a visit that was called off since are so here again.",
    `A captured payment, a shipped order and a visit that was called off are ${states} here.`
  )
  const after = yield* lacking
  say(
    `Reconciliation makes no case, order or appointment: ${after.paid.length + after.held.length} payments, ${after.meetings.length} ` +
      `meetings and ${after.orders.length} orders wait for their partner, who repeats what was sent since ${time}.`
  )
})

/** Returns a case that its partner does not create again, with what belongs to it. */
const abandonedAmong = (since: ReadonlyArray<Sent>) => {
  const last = since.findLast((one) => one.kind === "case" && isAccepted(one))
  if (last === undefined) return []
  const [, email = ""] = JSON.stringify(last.body).match(/"email":"([^"]+)"/) ?? []
  const isVisit = ({ body, kind }: Sent) => kind === "visit" && JSON.stringify(body).includes(email)
  return since.filter((one) => one === last || one.path.includes(idOf(last)) || isVisit(one))
}

// Repeats requests with their keys: cases first, as their partner made them.
const repeatAll = Effect.fnUntraced(function* (clinic: Clinic, requests: ReadonlyArray<Sent>) {
  const kinds = ["case", "order", "hold", "visit"]
  const inOrder = requests.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
  return yield* Effect.forEach(inOrder, (request) =>
    Effect.map(
      untilDone(send(clinic, request), ({ answer }) => answer !== undefined && answer.status < 500),
      (again) => ({ request, again })
    )
  )
})

/** Repeats what was sent since the time of the restore, except for one case, and counts what the third parties have then. */
const repeatRequests = Effect.fnUntraced(function* (
  { check, say }: Report,
  { clinic, since, until }: Loss,
  pharmacyFile: string
) {
  const abandoned = abandonedAmong(since)
  const repeated = yield* repeatAll(
    clinic,
    since.filter((one) => !abandoned.includes(one))
  )
  const wrong = repeated.filter(
    ({ again, request }) => !isAccepted(again) || (isAccepted(request) && idOf(again) !== idOf(request))
  )
  check(
    wrong.length === 0,
    `The partner repeated ${countsOf(repeated.map(({ request }) => request))} with their keys: all are accepted, with the ids of before.`,
    `Repeated requests were refused or got other ids: ${JSON.stringify(wrong.map(({ again, request }) => [request.kind, again.answer]))}.`
  )

  // One hold was captured and one visit called off. Orders are handed over by jobs, so that the abandoned one may not have been.
  const all = [...until, ...since, ...repeated.map(({ again }) => again)].filter(isAccepted)
  const keysOf = (kind: Sent["kind"]) => new Set(all.filter((one) => one.kind === kind).map(({ key }) => key)).size
  const orders = new Set(all.filter((one) => one.kind === "order").map(idOf))
  const lasting = new Set(
    all.filter((one) => one.kind === "order" && !abandoned.some(({ key }) => key === one.key)).map(idOf)
  )
  const theirs = yield* untilDone(atProviders(clinic, pharmacyFile), (now) =>
    [...lasting].every((id) => now.orders.includes(id))
  )
  const strangers = theirs.orders.filter((id) => !orders.has(id))
  check(
    theirs.held.length === keysOf("hold") - 1 &&
      theirs.meetings.length === keysOf("visit") - 1 &&
      strangers.length === 0,
    `Nothing is there twice: Stripe has ${theirs.held.length} holds, the provider ${theirs.meetings.length} meetings, and the pharmacy ${theirs.orders.length} orders, one for each key.`,
    `For ${keysOf("hold") - 1} holds and ${keysOf("visit") - 1} visits there are ${theirs.held.length} and ${theirs.meetings.length}; orders that nobody placed: ${strangers.length}.`
  )
  const rest = orphans(theirs, yield* inDatabases(clinic))
  say(
    `Left for the operator, because the partner did not repeat it: payments ${[...rest.paid, ...rest.held].join(", ") || "none"}; ` +
      `meetings ${rest.meetings.join(", ") || "none"}; orders ${rest.orders.join(", ") || "none"}.`
  )
  check(
    rest.paid.length === 1 && rest.held.length === 0 && rest.meetings.length <= 1 && rest.orders.length <= 1,
    "That is of the one case that was not repeated.",
    "That is of more than the one case that was not repeated."
  )
})

/**
 * Loses the database under load and restores it to a time before the last answers, while the third parties go on. `say` gets what it
 * finds. Returns the sentences about what must not be.
 */
export const restoreDrill = Effect.fnUntraced(function* (
  folder: string,
  say: (sentence: string) => void,
  programOf: Required<StartSettings>["programOf"]
) {
  const problems: Array<string> = []
  const check = (isRight: boolean, right: string, wrong: string) => {
    say(isRight ? right : wrong)
    if (!isRight) problems.push(wrong)
  }
  const report: Report = { say, check }
  const { pharmacyFile, postgres, startSuite, suiteOn } = yield* startDrill(folder, programOf)
  const events = yield* receiveEvents

  // Has a scope of its own, because only PostgreSQL and the suite end with the loss.
  const scope = yield* Scope.make()
  const { database, loss } = yield* Effect.gen(function* () {
    const database = yield* postgres.start
    yield* startSuite(database.url)
    const parts = { database, eventsUrl: events.url, pharmacyFile, postgres }
    return { database, loss: yield* Effect.provideService(loseDatabase(parts), Suite, yield* suiteOn(database.url)) }
  }).pipe(Scope.provide(scope))
  yield* Scope.close(scope, Exit.void)

  const { last, running } = yield* postgres.restore(database, loss.time)
  say(
    `The data folder was destroyed under load. PostgreSQL is restored to ${loss.time} (its last transaction is of ${last.toISOString()}), ` +
      `from ${(loss.backupBytes / 2 ** 20).toFixed(0)} MiB of backup and the archive, ${seconds(performance.now() - loss.destroyedAt)} after the loss.`
  )
  yield* Effect.gen(function* () {
    yield* startAgain(report, loss, startSuite(running.url))
    yield* compare(report, loss, events.received, pharmacyFile)
    yield* repeatRequests(report, loss, pharmacyFile)
  }).pipe(Effect.provideService(Suite, yield* suiteOn(running.url)))
  return problems
})
