import { currentProvenance } from "@care/audit"
import {
  CaseForbidden,
  type CaseMove,
  CaseNotFound,
  type CaseSnapshot,
  type CaseStatus,
  CaseStatusConflict,
  type CaseTransition,
  caseTransitions,
  moveApplies,
  type NewCaseActivity,
  unassignedStatus
} from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { makePatientKeys, ofNobody, type PatientKey } from "@care/phi"
import { currentStaff, inTransaction, organizationScope, Time } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option, Order } from "effect"
import { SqlClient } from "effect/sql"
import { ActivityWakeUp } from "../activity/ActivityWakeUp.ts"
import { makeAssignmentsRepo, type WaitingCase } from "./AssignmentsRepo.ts"
import { assignmentsOf } from "./assignmentsOf.ts"
import { CaseReplication } from "./CaseReplication.ts"
import { type CaseStateRow, type Holder, type LockedCase, makeCasesRepo, type Owner } from "./CasesRepo.ts"

const isWaiting = ({ isArchived, isTest, status }: LockedCase) => !isArchived && !isTest && status === unassignedStatus

const oldestFirst = Order.combine(
  Order.mapInput(Order.Date, ({ createdAt }: LockedCase) => createdAt),
  Order.mapInput(Order.String, ({ id }: LockedCase) => id)
)

interface SeenOwner extends Owner {
  readonly glassBrokenUntil: Date | null
}

/** Reads the state of cases, and changes it: moves, records and assignments. */
export class Cases extends Context.Service<
  Cases,
  {
    /**
     * Returns the organization of a case. This, `findOwner` and `findAny` are the only look-ups without an organization: the paths of
     * operators and staff name a case alone, and a partner who names another organization's case gets a different error than for an unknown
     * one. For staff a case of another organization is unknown, and for a provider also one that they may not see.
     */
    readonly organizationOf: (id: CaseId) => Effect.Effect<OrganizationId, CaseNotFound>
    /** Returns the organization and the patient of a case, and until when a provider sees it who sees it only by breaking the glass. */
    readonly findOwner: (id: CaseId) => Effect.Effect<SeenOwner, CaseNotFound>
    /** Returns the organization and the patient of a case, whether or not a provider may see it. */
    readonly findAny: (id: CaseId) => Effect.Effect<Owner, CaseNotFound>
    /** Fails for a case that does not belong to the organization, and returns the owner of any other. */
    readonly requireOwn: (
      organizationId: OrganizationId,
      id: CaseId
    ) => Effect.Effect<Owner, CaseNotFound | CaseForbidden>
    readonly find: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<Option.Option<CaseStateRow>>
    /** Returns the provider who has to work on a case, if any. */
    readonly holderOf: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<Option.Option<Holder>>
    /** Locks a case until the transaction ends: others can neither move it nor record anything in it. */
    readonly lock: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<void>
    /** Returns the key of a case's patient. A case that the organization does not have is a defect. */
    readonly keyOf: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<PatientKey>
    /** Marks a case as followed, and returns its snapshot. Scheduling is sent a snapshot after each later move (`CaseReplication`). */
    readonly follow: (
      organizationId: OrganizationId,
      id: CaseId
    ) => Effect.Effect<CaseSnapshot, CaseNotFound | CaseForbidden>
    /** Does the same with the newest unarchived case of the patient with an email. */
    readonly followNewest: (organizationId: OrganizationId, email: string) => Effect.Effect<CaseSnapshot, CaseNotFound>
    /**
     * Makes a move, inside the caller's transaction if there is one, and returns the status before it. Parallel moves of a case run one
     * after the other. `CaseStatusConflict` has the state that does not allow the move. The actor is the caller, whomever the
     * move names. A move that closes the case cancels its waiting jobs.
     */
    readonly move: (
      organizationId: OrganizationId,
      id: CaseId,
      move: CaseMove
    ) => Effect.Effect<CaseStatus, CaseNotFound | CaseStatusConflict>
    /**
     * Records an activity of a case, inside the transaction of the change, and returns the case's state. The case is locked until the
     * transaction ends, as by `lock`.
     */
    readonly record: (
      organizationId: OrganizationId,
      id: CaseId,
      activity: NewCaseActivity
    ) => Effect.Effect<CaseStateRow, CaseNotFound>
    /** Stores whether a case is urgent, after a change of its escalations or products, in the transaction that has locked the case. */
    readonly updateUrgency: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<void>
    /** Returns cases of an organization that wait for a provider, oldest first. */
    readonly pageOfWaiting: (
      organizationId: OrganizationId,
      after: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingCase>>
    /** Returns cases that are assigned to a provider, who has not begun them, oldest first. */
    readonly pageOfAssigned: (
      organizationId: OrganizationId,
      providerId: UserId,
      after: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingCase>>
    /**
     * Assigns waiting cases, oldest first, each to the eligible provider who has the fewest cases; among equals, to the one who has waited
     * longest. Returns the cases that stay unassigned because no provider is eligible or they are closed. The number of statements does
     * not grow with the cases. Each attempt is a transaction of its own, so do not call this inside a transaction.
     */
    readonly assignToLeastBusy: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<CaseId>
    ) => Effect.Effect<ReadonlySet<CaseId>>
    /** Returns whether the patient has another case than this one. */
    readonly hasOther: (organizationId: OrganizationId, userId: UserId, id: CaseId) => Effect.Effect<boolean>
    /** Returns whether the patient has a case that was created after this one. */
    readonly hasNewer: (organizationId: OrganizationId, userId: UserId, id: CaseId) => Effect.Effect<boolean>
    /**
     * Returns whether the profile of a patient is locked, because one of their cases was assigned to a provider, archived or not.
     * `exceptId` is a case that does not count.
     */
    readonly locksProfile: (organizationId: OrganizationId, userId: UserId, exceptId?: CaseId) => Effect.Effect<boolean>
  }
>()("@care/cases/lifecycle/Cases") {
  static readonly layer = Layer.effect(
    Cases,
    Effect.gen(function* () {
      const repo = yield* makeCasesRepo
      const assignments = yield* makeAssignmentsRepo
      const cancelJobs = yield* Job.makeCancelBySubject
      const replication = yield* CaseReplication
      const activityWakeUp = yield* ActivityWakeUp
      const sql = yield* SqlClient.SqlClient
      const patientKeys = yield* makePatientKeys
      const orCaseNotFound = Effect.fromOption(() => new CaseNotFound())

      const findAny = Effect.fn("Cases.findAny")(function* (id: CaseId) {
        return yield* orCaseNotFound(yield* repo.findOwner(id, yield* organizationScope))
      })

      const findOwner = Effect.fn("Cases.findOwner")(function* (id: CaseId) {
        const owner = yield* findAny(id)
        const staff = yield* currentStaff
        if (staff?.role !== "PROVIDER") return { ...owner, glassBrokenUntil: null }
        const now = yield* Time.nowAsDate
        const { glassBrokenUntil, isTheirs } = yield* repo.sightOf(owner.organizationId, id, staff.userId, now)
        if (isTheirs) return { ...owner, glassBrokenUntil: null }
        return glassBrokenUntil === null ? yield* new CaseNotFound() : { ...owner, glassBrokenUntil }
      })

      const patientKeyOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId) {
        const { userId } = yield* orCaseNotFound(yield* repo.find(organizationId, id))
        return yield* patientKeys.of(organizationId, userId)
      })

      const requireOwn = Effect.fn("Cases.requireOwn")(function* (organizationId: OrganizationId, id: CaseId) {
        const owner = yield* findAny(id)
        return owner.organizationId === organizationId ? owner : yield* new CaseForbidden({ caseId: id })
      })

      const replicateFollowed = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        cases: ReadonlyArray<LockedCase>
      ) {
        const followed = cases.filter(({ isFollowed }) => isFollowed).map(({ id }) => id)
        if (followed.length > 0) yield* replication.changed(organizationId, followed)
      })

      const requireMovable = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        name: CaseMove["name"],
        before: LockedCase
      ) {
        const { from = [], isOfDeparted }: CaseTransition = caseTransitions[name]
        const { assignedTo, isArchived, status } = before
        const hasActiveProvider =
          isOfDeparted && assignedTo !== null && (yield* repo.isProvider(organizationId, assignedTo))
        if (hasActiveProvider || !moveApplies(name, before))
          return yield* new CaseStatusConflict({ status, isArchived, needed: from })
      })

      // Returns the cases that stay unassigned because no provider is eligible or they are closed, and those to try again, because
      // their provider got another case or left meanwhile.
      const assignLocked = Effect.fnUntraced(function* (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) {
        const locked = yield* repo.lock(organizationId, ids)
        const waiting = Arr.sort(locked.filter(isWaiting), oldestFirst)
        const patients = waiting.map(({ userId }) => userId)
        const groups = patients.length === 0 ? [] : yield* assignments.candidates(organizationId, patients)
        const planned = assignmentsOf(waiting, groups)
        const withProvider = new Set(planned.map(({ caseId }) => caseId))
        const staysUnassigned = (row: LockedCase) => row.isArchived || (isWaiting(row) && !withProvider.has(row.id))
        const unassigned = locked.filter(staysUnassigned).map(({ id }) => id)
        if (planned.length === 0) return { unassigned, outdated: [] }
        const rows = yield* assignments.assign(organizationId, planned, yield* currentProvenance)
        const assigned = new Set(rows.map(({ id }) => id))
        yield* replicateFollowed(
          organizationId,
          waiting.filter(({ id }) => assigned.has(id))
        )
        if (assigned.size > 0) yield* activityWakeUp.tell
        return { unassigned, outdated: [...withProvider].filter((id) => !assigned.has(id)) }
      }, inTransaction(sql))

      return Cases.of({
        organizationOf: (id) => Effect.map(findOwner(id), ({ organizationId }) => organizationId),
        findOwner,
        findAny,

        find: Effect.fn("Cases.find")(repo.find),

        updateUrgency: Effect.fn("Cases.updateUrgency")(repo.updateUrgency),

        holderOf: Effect.fn("Cases.holderOf")(repo.holderOf),

        lock: Effect.fn("Cases.lock")((organizationId, id) => Effect.asVoid(repo.lock(organizationId, [id]))),

        keyOf: Effect.fn("Cases.keyOf")((organizationId, id) => Effect.orDie(patientKeyOf(organizationId, id))),

        move: Effect.fn("Cases.move")(function* (organizationId, id, move) {
          const { archive }: CaseTransition = caseTransitions[move.name]
          const hasNote = "archiveNote" in move && move.archiveNote !== null
          const applyMove = Effect.gen(function* () {
            const sealer = hasNote ? yield* patientKeyOf(organizationId, id) : ofNobody
            const before = yield* orCaseNotFound(Arr.head(yield* repo.lock(organizationId, [id])))
            yield* requireMovable(organizationId, move.name, before)
            yield* repo.move(sealer, organizationId, before, move, yield* currentProvenance)
            yield* replicateFollowed(organizationId, [before])
            yield* activityWakeUp.tell
            // After the lock, so that it sees the jobs that the previous holder of the lock offered.
            if (archive === "closed") yield* cancelJobs(organizationId, id)
            return before.status
          })
          return yield* inTransaction(sql)(applyMove)
        }),

        requireOwn,

        follow: Effect.fn("Cases.follow")(function* (organizationId, id) {
          const found = yield* repo.follow(organizationId, id)
          if (Option.isNone(found)) yield* requireOwn(organizationId, id)
          return yield* orCaseNotFound(found)
        }),

        followNewest: Effect.fn("Cases.followNewest")(function* (organizationId, email) {
          return yield* orCaseNotFound(yield* repo.followNewest(organizationId, email))
        }),

        record: Effect.fn("Cases.record")(function* (organizationId, id, activity) {
          const caseState = yield* orCaseNotFound(
            yield* repo.record(organizationId, id, activity, yield* currentProvenance)
          )
          yield* activityWakeUp.tell
          return caseState
        }),

        pageOfAssigned: Effect.fn("Cases.pageOfAssigned")(assignments.pageOfAssigned),

        pageOfWaiting: Effect.fn("Cases.pageOfWaiting")(assignments.pageOfWaiting),

        assignToLeastBusy: Effect.fn("Cases.assignToLeastBusy")(function* (organizationId, ids) {
          const allUnassigned = new Set<CaseId>()
          let next = ids
          // The loop ends, because a case is tried again only after another transaction has changed its provider.
          while (next.length > 0) {
            const { outdated, unassigned } = yield* assignLocked(organizationId, next)
            for (const id of unassigned) allUnassigned.add(id)
            next = outdated
          }
          return allUnassigned
        }),

        hasOther: Effect.fn("Cases.hasOther")(repo.hasOther),
        hasNewer: Effect.fn("Cases.hasNewer")(repo.hasNewer),

        locksProfile: Effect.fn("Cases.locksProfile")(repo.hasAssigned)
      })
    })
  ).pipe(Layer.provide(ActivityWakeUp.layer))
}
