import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import type { CaseSnapshot } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { IdentityTokens, layerHttpClient } from "@care/service-kit"
import { layerTestConfig, serveListener, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeEvent } from "../../test/makeEvent.ts"
import { CalendarEvents } from "../calendar/calendarEvents/CalendarEvents.ts"
import { CaseSnapshots } from "./CaseSnapshots.ts"

const snapshotsById = new Map<string, CaseSnapshot>()
const requests: Array<string> = []

// The cases service: any email is that of the customer of the newest snapshot.
const cases = serveListener((request, response) => {
  const path = request.url ?? ""
  requests.push(path)
  const [, organizationId = "", , id = ""] =
    /organizations\/([^/]+)\/(cases|newest-case)\/?(?:([^/]+)\/)?follow/.exec(path) ?? []
  const isOfCustomer = path.includes("newest-case")
  const snapshot = isOfCustomer
    ? [...snapshotsById.values()].findLast((found) => found.organizationId === organizationId)
    : snapshotsById.get(id)
  const answer = (status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  if (snapshot === undefined) answer(404, { _tag: "CaseNotFound" })
  else if (snapshot.organizationId !== organizationId) answer(403, { _tag: "CaseForbidden", caseId: id })
  else answer(200, snapshot)
})

const layerCases = Layer.unwrap(
  Effect.map(cases, ({ url }) => ConfigProvider.layer(ConfigProvider.fromUnknown({ CASES_URL: url })))
)

const TestLayer = Layer.merge(CaseSnapshots.layer, CalendarEvents.layer).pipe(
  Layer.provide([IdentityTokens.layer, layerHttpClient, layerIdleJobs]),
  Layer.provide([layerTestConfig(), layerCases]),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("scheduling", 20), layerTestCipher))
)

layer(TestLayer, { excludeTestServices: true })("CaseSnapshots", (it) => {
  const newSnapshot = (changes: Partial<CaseSnapshot> = {}): CaseSnapshot => ({
    organizationId: OrganizationId.make(randomUUID()),
    caseId: CaseId.make(randomUUID()),
    userId: UserId.make(randomUUID()),
    shortId: "7Q2M4K9X",
    title: "Semaglutide program",
    status: "OPEN",
    isArchived: false,
    isTest: false,
    version: 1,
    ...changes
  })
  const always = { from: new Date("2000-01-01"), to: new Date("2100-01-01") }
  const listed = (organizationId: OrganizationId) =>
    Effect.flatMap(CalendarEvents, (events) => events.listed(organizationId, always, 10)).pipe(
      Effect.map((found) => found.map(({ id }) => id))
    )

  it.effect(
    "a case is requested once; a missing one or another organization's is requested each time, and not stored",
    () =>
      Effect.gen(function* () {
        const [snapshots, sql] = [yield* CaseSnapshots, yield* SqlClient.SqlClient]
        const snapshot = newSnapshot()
        const { caseId, organizationId } = snapshot
        snapshotsById.set(caseId, snapshot)
        const before = requests.length
        for (const _ of [1, 2]) assert.deepStrictEqual(yield* snapshots.find(organizationId, caseId), snapshot)
        assert.lengthOf(requests, before + 1)
        const other = OrganizationId.make(randomUUID())
        for (const _ of [1, 2]) {
          assert.strictEqual((yield* Effect.flip(snapshots.find(other, caseId)))._tag, "CaseForbidden")
          assert.strictEqual(
            (yield* Effect.flip(snapshots.find(other, CaseId.make(randomUUID()))))._tag,
            "CaseNotFound"
          )
        }
        assert.lengthOf(requests, before + 5)
        assert.deepStrictEqual(yield* sql`SELECT case_id FROM case_snapshots WHERE organization_id = ${other}`, [])
        assert.deepStrictEqual([...(yield* snapshots.ofCases(other, [caseId]))], [])
        const missing = newSnapshot({ organizationId })
        snapshotsById.set(missing.caseId, missing)
        const several = yield* snapshots.ofCases(organizationId, [caseId, missing.caseId])
        assert.deepStrictEqual([...several.values()], [snapshot, missing])
      })
  )

  it.effect("the newest case of a customer is requested each time, and stored", () =>
    Effect.gen(function* () {
      const snapshots = yield* CaseSnapshots
      const snapshot = newSnapshot()
      snapshotsById.set(snapshot.caseId, snapshot)
      const { organizationId } = snapshot
      const before = requests.length
      for (const _ of [1, 2]) {
        assert.deepStrictEqual(
          yield* snapshots.newestOfCustomer(organizationId, "maria@example.com"),
          Option.some(snapshot)
        )
      }
      assert.deepStrictEqual(yield* snapshots.find(organizationId, snapshot.caseId), snapshot)
      assert.lengthOf(requests, before + 2)
      const other = OrganizationId.make(randomUUID())
      assert.deepStrictEqual(yield* snapshots.newestOfCustomer(other, "maria@example.com"), Option.none())
    })
  )

  it.effect("the events of a case are listed unless its newest snapshot is archived", () =>
    Effect.gen(function* () {
      const [snapshots, events] = [yield* CaseSnapshots, yield* CalendarEvents]
      const snapshot = newSnapshot()
      const { caseId, organizationId } = snapshot
      yield* snapshots.accept(snapshot)
      const { id } = yield* events.add(makeEvent({ organizationId, caseId }))
      assert.deepStrictEqual(yield* listed(organizationId), [id])
      yield* snapshots.accept({ ...snapshot, version: 3, isArchived: true })
      yield* snapshots.accept({ ...snapshot, version: 2 })
      const added = yield* events.add(makeEvent({ organizationId, caseId }))
      assert.deepStrictEqual(yield* listed(organizationId), [])
      yield* snapshots.accept({ ...snapshot, version: 4 })
      assert.sameMembers(yield* listed(organizationId), [id, added.id])
    })
  )

  it.effect("an event that is added while its case is archived is not listed, whichever commits first", () =>
    Effect.gen(function* () {
      const [snapshots, events] = [yield* CaseSnapshots, yield* CalendarEvents]
      const closing = (snapshot: CaseSnapshot) => snapshots.accept({ ...snapshot, version: 2, isArchived: true })
      const adding = ({ caseId, organizationId }: CaseSnapshot) => events.add(makeEvent({ organizationId, caseId }))
      for (const [first, second] of [
        [closing, adding],
        [adding, closing]
      ] as const) {
        const snapshot = newSnapshot()
        yield* snapshots.accept(snapshot)
        yield* whileHeld<unknown, unknown, never, never, never, never>(first(snapshot), [second(snapshot)])
        assert.deepStrictEqual(yield* listed(snapshot.organizationId), [])
        yield* snapshots.accept({ ...snapshot, version: 3 })
        assert.lengthOf(yield* listed(snapshot.organizationId), 1)
      }
    })
  )
})
