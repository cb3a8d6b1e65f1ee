import { randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { pendingProviderStatuses } from "@care/domain/cases"
import { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { makePatientKeys, sealedRowsOf } from "@care/phi"
import { layerTestCipher } from "@care/phi/testing"
import { rowsOf } from "@care/service-kit"
import { DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Activity } from "../src/case/activity/Activity.ts"
import { CaseReplication } from "../src/case/lifecycle/CaseReplication.ts"
import { CaseRow } from "../src/case/lifecycle/CaseRow.ts"
import { Cases } from "../src/case/lifecycle/Cases.ts"
import { People } from "../src/case/people/People.ts"
import { makePeopleRepo } from "../src/case/people/PeopleRepo.ts"
import type { NewCase } from "../src/intake/IntakeRepo.ts"
import type { KnownCase, Step } from "./caseModel.ts"
import { readPersonSnapshot } from "./personSnapshot.ts"

const loads = rowsOf(Schema.Struct({ providerId: UserId, caseCount: Schema.Int, lastAssignedAt: Schema.Date }))
const counts = rowsOf(Schema.Struct({ providerId: UserId, caseCount: Schema.Int }))

/** The service `Cases`, on a database of its own. */
export const layerStoredCases = Cases.layer.pipe(
  Layer.provideMerge(CaseReplication.layer),
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("cases", 20), layerTestCipher))
)

const userId = () => UserId.make(randomUUID())

/** Stored people, without a peer from which missing ones could be fetched. */
export const layerStoredPeople = Layer.unwrap(
  Effect.map(makePeopleRepo, ({ hasProviders, keep }) => Layer.mock(People, { hasProviders, keep }))
)

/** Stores users as providers of an organization. */
export const storeProviders = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  ids: ReadonlyArray<UserId>,
  licensedStates: ReadonlyArray<string> = []
) {
  const { keep } = yield* makePeopleRepo
  for (const id of ids) {
    yield* keep({ ...readPersonSnapshot(organizationId, id, 1, { role: "PROVIDER" }), licensedStates })
  }
})

/** Returns the ids of an organization and of three providers, who are not stored yet. */
export const makeClinic = Effect.sync(() => {
  const [a, b] = [userId(), userId()]
  const [first, second] = a < b ? [a, b] : [b, a]
  return { organizationId: OrganizationId.make(randomUUID()), first, second, third: userId() }
})

/** Stores a case with a new patient. Returns its id, the patient's id, and its state as `known`. */
export const makeCase = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  { isSole = true, isTest = false, status = "OPEN" }: Partial<Pick<KnownCase, "status" | "isTest" | "isSole">> = {}
) {
  const sql = yield* SqlClient.SqlClient
  const id = CaseId.make(randomUUID())
  const now = yield* DateTime.nowAsDate
  const patientId = userId()
  const row = { organizationId, id, shortId: id, userId: patientId, title: "", type: "ASYNC_TEXT_EMAIL" }
  yield* sql`INSERT INTO cases ${sql.insert({ ...row, status, isTest, isSole, createdAt: now, updatedAt: now })}`
  return { id, userId: patientId, known: yield* readCase(organizationId, id) }
})

/** Returns a case to store, with a new patient by default. */
export const newCase = (changes: Partial<NewCase> & Pick<NewCase, "organizationId">): NewCase => ({
  id: CaseId.make(randomUUID()),
  patient: readPersonSnapshot(changes.organizationId, randomUUID()),
  isNewPatient: false,
  title: "",
  status: "OPEN",
  type: "ASYNC_TEXT_EMAIL",
  isTest: false,
  isSole: true,
  createdAt: new Date(),
  products: [],
  formResponses: [],
  ...changes
})

/** Returns the other arguments of `insertCase`. */
export const insertion = Effect.fnUntraced(function* (organizationId: OrganizationId, patientId: UserId) {
  const patientKeys = yield* makePatientKeys
  const key = yield* patientKeys.of(organizationId, patientId)
  const at = new Date()
  const provenance = { actor: { type: "JOB", id: null }, at, now: at, requestId: "none" } as const
  return {
    shortId: randomUUID(),
    intentId: null,
    shippingAddress: null,
    jobs: [],
    provenance,
    key,
    keyStatement: patientKeys.held(key)
  }
})

/** Reads a stored case. */
export const readCase = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sealedRowsOf(CaseRow)
  const known: KnownCase = yield* rows.one(sql`
    SELECT * FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
  `)
  return known
})

/** Reads the activity of a case, oldest first. */
export const readActivity = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId) {
  const activity = yield* Activity
  return yield* activity.after(organizationId, id, 0, 100)
}, Effect.provide(Activity.layer))

/** Reads the stored loads of the providers of an organization. */
export const readLoads = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  return yield* loads.all(sql`
    SELECT provider_id, case_count, last_assigned_at FROM provider_loads
    WHERE organization_id = ${organizationId} ORDER BY provider_id
  `)
})

/** Returns the loads of an organization's providers: the stored numbers, and those counted from its cases. Without zeros. */
export const compareLoads = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const counted = yield* counts.all(sql`
    SELECT assigned_to AS provider_id, count(*)::integer AS case_count FROM cases
    WHERE organization_id = ${organizationId} AND NOT is_archived AND status = ANY(${pendingProviderStatuses}::text[])
    GROUP BY assigned_to ORDER BY assigned_to
  `)
  const stored = (yield* readLoads(organizationId)).filter(({ caseCount }) => caseCount !== 0)
  return { stored: stored.map(({ caseCount, providerId }) => ({ providerId, caseCount })), counted }
})

/** Takes a step, and returns the status before it, or none when it was refused. Automatic assignment always returns none. */
export const takeStep = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId, step: Step) {
  const cases = yield* Cases
  if (step.name !== "assignToLeastBusy") return yield* Effect.option(cases.move(organizationId, id, step))
  yield* cases.assignToLeastBusy(organizationId, [id])
  return Option.none()
})
