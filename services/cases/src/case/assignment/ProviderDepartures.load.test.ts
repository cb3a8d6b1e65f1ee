import { randomUUID } from "node:crypto"
import { OrganizationId, UserId } from "@care/domain/ids"
import { layerJobs } from "@care/jobs"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import {
  compareLoads,
  layerStoredCases,
  layerStoredPeople,
  makeCase,
  readActivity,
  readCase,
  storeProviders
} from "../../../test/storedCases.ts"
import { Directory } from "../directory/Directory.ts"
import { CaseOpenings } from "../lifecycle/CaseOpenings.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { AssignmentFeature } from "./AssignmentFeature.ts"
import { ReplicatedProviders } from "./ReplicatedProviders.ts"

const newUser = () => UserId.make(randomUUID())

// All people are stored, so auth is not called.
const layerDirectory = Layer.mock(Directory, {})

const TestLayer = Layer.merge(AssignmentFeature, Layer.merge(ReplicatedProviders.layer, CaseOpenings.layer)).pipe(
  Layer.provide([layerJobs, layerDirectory, layerStoredPeople]),
  Layer.provideMerge(layerStoredCases)
)

layer(TestLayer, { excludeTestServices: true })("a provider who leaves", (it) => {
  const clinic = Effect.gen(function* () {
    const organizationId = OrganizationId.make(randomUUID())
    const [leaving, staying] = [newUser(), newUser()]
    yield* storeProviders(organizationId, [leaving, staying])
    const caseOf = Effect.fnUntraced(function* (providerId: UserId) {
      const cases = yield* Cases
      const { id } = yield* makeCase(organizationId)
      yield* cases.move(organizationId, id, { name: "assign", providerId })
      return id
    })
    return { organizationId, leaving, staying, caseOf }
  })
  const leaves = (
    organizationId: OrganizationId,
    id: UserId,
    changes = { role: "PROVIDER", isActive: false } as const
  ) =>
    Effect.flatMap(ReplicatedProviders, ({ personChanged }) =>
      personChanged(readPersonSnapshot(organizationId, id, 2, changes))
    )
  const jobsEnd = (organizationId: OrganizationId) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      until(
        sql`SELECT FROM jobs WHERE organization_id = ${organizationId} AND state IN ('pending', 'running')`,
        (rows) => rows.length === 0
      )
    )

  it.effect("loses the cases that they have not begun, more than a page of them, and no others", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { caseOf, leaving, organizationId, staying } = yield* clinic
      const own = yield* Effect.replicateEffect(caseOf(leaving), 130)
      const [begun, closed, others] = [yield* caseOf(leaving), yield* caseOf(leaving), yield* caseOf(staying)]
      yield* cases.move(organizationId, begun, { name: "start" })
      yield* cases.move(organizationId, closed, { name: "close", archiveNote: null })
      yield* leaves(organizationId, leaving)
      yield* leaves(organizationId, leaving)
      yield* jobsEnd(organizationId)

      for (const id of own) {
        assert.deepInclude(yield* readCase(organizationId, id), { status: "ASSIGNED", assignedTo: staying })
      }
      const [, released, assigned] = yield* readActivity(organizationId, own[0] ?? begun)
      assert.deepInclude(released, {
        type: "CASE_RELEASED",
        actor: { type: "JOB", id: "provider-departure" },
        details: { from: "ASSIGNED", to: "OPEN", previousProviderId: leaving }
      })
      assert.deepInclude(assigned, { type: "CASE_ASSIGNED", actor: { type: "JOB", id: "assignment" } })
      assert.deepInclude(yield* readCase(organizationId, begun), { status: "IN_PROGRESS", assignedTo: leaving })
      assert.deepInclude(yield* readCase(organizationId, closed), { isArchived: true, assignedTo: leaving })
      assert.lengthOf(yield* readActivity(organizationId, others), 1)
      const { counted, stored } = yield* compareLoads(organizationId)
      assert.deepStrictEqual(stored, counted)

      // A closed case is released when it is reopened.
      const sql = yield* SqlClient.SqlClient
      const openings = yield* CaseOpenings
      const reopen = cases.move(organizationId, closed, { name: "reopen" })
      yield* sql.withTransaction(Effect.andThen(reopen, openings.opened(organizationId, closed)))
      yield* jobsEnd(organizationId)
      assert.deepInclude(yield* readCase(organizationId, closed), { status: "ASSIGNED", assignedTo: staying })
    })
  )

  it.effect("keeps the cases when they are back before the job runs, and loses them with another role", () =>
    Effect.gen(function* () {
      const cases = yield* Cases
      const { caseOf, leaving, organizationId, staying } = yield* clinic
      const id = yield* caseOf(leaving)
      assert.deepInclude(yield* Effect.flip(cases.move(organizationId, id, { name: "release" })), {
        _tag: "CaseStatusConflict"
      })
      assert.deepInclude(yield* readCase(organizationId, id), { status: "ASSIGNED", assignedTo: leaving })
      yield* Effect.flatMap(ReplicatedProviders, ({ personChanged }) =>
        personChanged(readPersonSnapshot(organizationId, leaving, 2, { role: "SUPPORT" }))
      )
      yield* jobsEnd(organizationId)
      assert.deepInclude(yield* readCase(organizationId, id), { status: "ASSIGNED", assignedTo: staying })
    })
  )

  it.effect("other changes of people release no case", () =>
    Effect.gen(function* () {
      const { caseOf, leaving, organizationId } = yield* clinic
      const id = yield* caseOf(leaving)
      const { personChanged } = yield* ReplicatedProviders
      yield* personChanged(readPersonSnapshot(organizationId, leaving, 2, { role: "PROVIDER" }))
      yield* personChanged(readPersonSnapshot(organizationId, newUser(), 1, { role: "USER" }))
      yield* jobsEnd(organizationId)
      assert.deepInclude(yield* readCase(organizationId, id), { status: "ASSIGNED", assignedTo: leaving })
      const sql = yield* SqlClient.SqlClient
      const departures = sql`
        SELECT FROM jobs WHERE organization_id = ${organizationId} AND queue_name = 'provider-departure'
      `
      assert.lengthOf(yield* departures, 0)
    })
  )
})
