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

/** The home of cases, on a database of its own. */
export const layerStoredCases = Cases.layer.pipe(
  Layer.provideMerge(CaseReplication.layer),
  Layer.provide(layerIdleJobs),
  Layer.provideMerge(Layer.merge(layerAuditedDatabase("cases", 20), layerTestCipher))
)

const userId = () => UserId.make(randomUUID())

/** People as they are kept; nobody is there who would be asked for others. */
export const layerKeptPeople = Layer.unwrap(
  Effect.map(makePeopleRepo, ({ hasProviders, keep }) => Layer.mock(People, { hasProviders, keep }))
)

/** Makes users known as providers of an organization. */
export const keepProviders = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  ids: ReadonlyArray<UserId>,
  licensedStates: ReadonlyArray<string> = []
) {
  const { keep } = yield* makePeopleRepo
  for (const id of ids) {
    yield* keep({ ...readPersonSnapshot(organizationId, id, 1, { role: "PROVIDER" }), licensedStates })
  }
})

/** An organization with providers, by their ids, who are not known yet. */
export const makeClinic = Effect.sync(() => {
  const [a, b] = [userId(), userId()]
  const [first, second] = a < b ? [a, b] : [b, a]
  return { organizationId: OrganizationId.make(randomUUID()), first, second, third: userId() }
})

/** Stores a case of a patient of its own: its id, the patient's, and what is known of it. */
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

/** A case that is about to be stored, of a patient of its own where none is given. */
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

/** What a case of a patient is created with beside itself. */
export const insertion = Effect.fnUntraced(function* (organizationId: OrganizationId, patientId: UserId) {
  const patientKeys = yield* makePatientKeys
  const key = yield* patientKeys.of(organizationId, patientId)
  const provenance = { actor: { type: "JOB", id: null }, at: new Date(), requestId: "none" } as const
  return {
    shortId: randomUUID(),
    intentId: null,
    shippingAddress: null,
    jobs: [],
    provenance,
    key,
    keyed: patientKeys.held(key)
  }
})

/** A case as it is stored. */
export const readCase = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sealedRowsOf(CaseRow)
  const known: KnownCase = yield* rows.one(sql`
    SELECT * FROM cases WHERE organization_id = ${organizationId} AND id = ${id}
  `)
  return known
})

/** What happened to a case, oldest first. */
export const readActivity = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId) {
  const activity = yield* Activity
  return yield* activity.after(organizationId, id, 0, 100)
}, Effect.provide(Activity.layer))

/** What the providers of an organization have to do, as the moves left it. */
export const readLoads = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  return yield* loads.all(sql`
    SELECT provider_id, case_count, last_assigned_at FROM provider_loads
    WHERE organization_id = ${organizationId} ORDER BY provider_id
  `)
})

/** What the providers of an organization have to do: the numbers that are kept, and what its cases say. Without zeros. */
export const keptAndCounted = Effect.fnUntraced(function* (organizationId: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const counted = yield* counts.all(sql`
    SELECT assigned_to AS provider_id, count(*)::integer AS case_count FROM cases
    WHERE organization_id = ${organizationId} AND NOT is_archived AND status = ANY(${pendingProviderStatuses}::text[])
    GROUP BY assigned_to ORDER BY assigned_to
  `)
  const kept = (yield* readLoads(organizationId)).filter(({ caseCount }) => caseCount !== 0)
  return { kept: kept.map(({ caseCount, providerId }) => ({ providerId, caseCount })), counted }
})

/** Takes a step: the status that the case had, if the step took it. Automatic assignment does not say what it did. */
export const take = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId, step: Step) {
  const cases = yield* Cases
  if (step.name !== "assignToLeastBusy") return yield* Effect.option(cases.move(organizationId, id, step))
  yield* cases.assignToLeastBusy(organizationId, [id])
  return Option.none()
})
