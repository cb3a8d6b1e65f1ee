import { currentProvenance, type Provenance } from "@care/audit"
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
import { inTransaction } from "@care/service-kit"
import { Array as Arr, Context, Effect, Layer, Option, Order } from "effect"
import { SqlClient } from "effect/sql"
import { ActivityWakeUp } from "../activity/ActivityWakeUp.ts"
import { makeAssignmentsRepo, type WaitingCase } from "./AssignmentsRepo.ts"
import { assignmentsOf } from "./assignmentsOf.ts"
import { CaseReplication } from "./CaseReplication.ts"
import { type CaseStateRow, type LockedCase, makeCasesRepo, type Owner } from "./CasesRepo.ts"

const madeBy = Effect.fnUntraced(function* (staff?: UserId) {
  const provenance: Provenance = yield* currentProvenance
  return staff === undefined ? provenance : { ...provenance, actor: { type: "USER" as const, id: staff } }
})

const isWaiting = ({ isArchived, isTest, status }: LockedCase) => !isArchived && !isTest && status === unassignedStatus

const oldestFirst = Order.combine(
  Order.mapInput(Order.Date, ({ createdAt }: LockedCase) => createdAt),
  Order.mapInput(Order.String, ({ id }: LockedCase) => id)
)

/** What a case is, and how it moves. Whoever wants to know the one, or to do the other, asks here. */
export class Cases extends Context.Service<
  Cases,
  {
    /**
     * Whose a case is. The only look-up of a case that names no organization: the operator's paths name a case alone, and
     * a partner is told that a case is another organization's. Nothing else of the case is read.
     */
    readonly ownerOf: (id: CaseId) => Effect.Effect<OrganizationId, CaseNotFound>
    /** The same, with the patient. */
    readonly whose: (id: CaseId) => Effect.Effect<Owner, CaseNotFound>
    /** Refuses a case that is not the organization's. */
    readonly requireOwn: (
      organizationId: OrganizationId,
      id: CaseId
    ) => Effect.Effect<void, CaseNotFound | CaseForbidden>
    readonly find: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<Option.Option<CaseStateRow>>
    /** Until the transaction ends, nobody else moves the case or records anything of it. */
    readonly lock: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<void>
    /** The key that seals what a case has of its patient. A case that the organization does not have is a defect. */
    readonly keyOf: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<PatientKey>
    /** How a case stands. It is followed from then on: scheduling is told of its moves, before whoever made one goes on. */
    readonly follow: (
      organizationId: OrganizationId,
      id: CaseId
    ) => Effect.Effect<CaseSnapshot, CaseNotFound | CaseForbidden>
    /** The same of the newest case that is not archived of the patient who has an email. */
    readonly followNewest: (organizationId: OrganizationId, email: string) => Effect.Effect<CaseSnapshot, CaseNotFound>
    /**
     * Makes a move, inside the caller's transaction if there is one: the status that the case had. Of moves that are made
     * at once each finds what the one before left. A case that the move does not take is told by the state that kept it.
     * It is recorded as the doing of whoever asks for it, unless it is done in the name of one of the `staff`. A case that
     * is closed takes the jobs with it that wait and end with it.
     */
    readonly move: (
      organizationId: OrganizationId,
      id: CaseId,
      move: CaseMove,
      staff?: UserId
    ) => Effect.Effect<CaseStatus, CaseNotFound | CaseStatusConflict>
    /**
     * Records a change of what a case has, inside the transaction of the change: where the case stands. Until that ends
     * nobody else moves the case, or records anything of it.
     */
    readonly record: (
      organizationId: OrganizationId,
      id: CaseId,
      activity: NewCaseActivity,
      staff?: UserId
    ) => Effect.Effect<CaseStateRow, CaseNotFound>
    /** Cases of an organization that wait for a provider, oldest first. */
    readonly pageOfWaiting: (
      organizationId: OrganizationId,
      after: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingCase>>
    /** Cases that a provider was given and has not begun, oldest first. */
    readonly pageOfAssigned: (
      organizationId: OrganizationId,
      providerId: UserId,
      after: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingCase>>
    /**
     * Assigns cases that wait, oldest first, each to the one of its eligible providers who has the fewest; of several, who
     * waits longest: those that are left, because there is none, or because they are closed. It costs the same however many
     * cases there are. Each attempt is a transaction, so this is nothing for inside a transaction. The job whose
     * work a case is ends with that, unless the case is left.
     */
    readonly assignToLeastBusy: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<CaseId>
    ) => Effect.Effect<ReadonlySet<CaseId>>
    /** True when the patient has another case than this one. */
    readonly hasOther: (organizationId: OrganizationId, userId: UserId, id: CaseId) => Effect.Effect<boolean>
    /** True when the patient has a case that was created after this one. */
    readonly hasNewer: (organizationId: OrganizationId, userId: UserId, id: CaseId) => Effect.Effect<boolean>
    /**
     * True when a case of the patient was given to a provider, archived or not: their profile is locked. `apart` is a case that
     * does not count.
     */
    readonly locksProfile: (organizationId: OrganizationId, userId: UserId, apart?: CaseId) => Effect.Effect<boolean>
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
      const required = Effect.fromOption(() => new CaseNotFound())

      const sealerOf = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId) {
        const { userId } = yield* required(yield* repo.find(organizationId, id))
        return yield* patientKeys.of(organizationId, userId)
      })

      const requireOwn = Effect.fn("Cases.requireOwn")(function* (organizationId: OrganizationId, id: CaseId) {
        const owner = yield* required(yield* repo.findOwner(id))
        if (owner.organizationId !== organizationId) return yield* new CaseForbidden({ caseId: id })
      })

      const tellFollowers = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        moved: ReadonlyArray<LockedCase>
      ) {
        const followed = moved.filter(({ isFollowed }) => isFollowed).map(({ id }) => id)
        if (followed.length > 0) yield* replication.changed(organizationId, followed)
      })

      const requireMovable = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        name: CaseMove["name"],
        before: LockedCase
      ) {
        const { from = [], isOfDeparted }: CaseTransition = caseTransitions[name]
        const { assignedTo, isArchived, status } = before
        const isKept = isOfDeparted && assignedTo !== null && (yield* repo.isProvider(organizationId, assignedTo))
        if (isKept || !moveApplies(name, before))
          return yield* new CaseStatusConflict({ status, isArchived, needed: from })
      })

      // Returns the cases that are left because no provider is eligible or they are closed, and those to try again, because their
      // provider was given another case or left meanwhile.
      const assignLocked = Effect.fnUntraced(function* (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) {
        const locked = yield* repo.lock(organizationId, ids)
        const waiting = Arr.sort(locked.filter(isWaiting), oldestFirst)
        const patients = waiting.map(({ userId }) => userId)
        const groups = patients.length === 0 ? [] : yield* assignments.candidates(organizationId, patients)
        const chosen = assignmentsOf(waiting, groups)
        const withProvider = new Set(chosen.map(({ caseId }) => caseId))
        const isLeft = (one: LockedCase) => one.isArchived || (isWaiting(one) && !withProvider.has(one.id))
        const left = locked.filter(isLeft).map(({ id }) => id)
        if (chosen.length === 0) return { left, outrun: [] }
        const rows = yield* assignments.assign(organizationId, chosen, yield* madeBy())
        const assigned = new Set(rows.map(({ id }) => id))
        yield* tellFollowers(
          organizationId,
          waiting.filter(({ id }) => assigned.has(id))
        )
        if (assigned.size > 0) yield* activityWakeUp.tell
        return { left, outrun: [...withProvider].filter((id) => !assigned.has(id)) }
      }, inTransaction(sql))

      return Cases.of({
        ownerOf: Effect.fn("Cases.ownerOf")(function* (id) {
          return (yield* required(yield* repo.findOwner(id))).organizationId
        }),

        whose: Effect.fn("Cases.whose")(function* (id) {
          return yield* required(yield* repo.findOwner(id))
        }),

        find: Effect.fn("Cases.find")(repo.find),

        lock: Effect.fn("Cases.lock")((organizationId, id) => Effect.asVoid(repo.lock(organizationId, [id]))),

        keyOf: Effect.fn("Cases.keyOf")((organizationId, id) => Effect.orDie(sealerOf(organizationId, id))),

        move: Effect.fn("Cases.move")(function* (organizationId, id, move, staff) {
          const { archive }: CaseTransition = caseTransitions[move.name]
          const isExplained = "archiveNote" in move && move.archiveNote !== null
          const moved = Effect.gen(function* () {
            const sealer = isExplained ? yield* sealerOf(organizationId, id) : ofNobody
            const before = yield* required(Arr.head(yield* repo.lock(organizationId, [id])))
            yield* requireMovable(organizationId, move.name, before)
            yield* repo.move(sealer, organizationId, before, move, yield* madeBy(staff))
            yield* tellFollowers(organizationId, [before])
            yield* activityWakeUp.tell
            // After the lock, which waited for whoever had the case, so that the jobs which they offered are seen.
            if (archive === "closed") yield* cancelJobs(organizationId, id)
            return before.status
          })
          return yield* inTransaction(sql)(moved)
        }),

        requireOwn,

        follow: Effect.fn("Cases.follow")(function* (organizationId, id) {
          const found = yield* repo.follow(organizationId, id)
          if (Option.isNone(found)) yield* requireOwn(organizationId, id)
          return yield* required(found)
        }),

        followNewest: Effect.fn("Cases.followNewest")(function* (organizationId, email) {
          return yield* required(yield* repo.followNewest(organizationId, email))
        }),

        record: Effect.fn("Cases.record")(function* (organizationId, id, activity, staff) {
          const caseState = yield* required(yield* repo.record(organizationId, id, activity, yield* madeBy(staff)))
          yield* activityWakeUp.tell
          return caseState
        }),

        pageOfAssigned: Effect.fn("Cases.pageOfAssigned")(assignments.pageOfAssigned),

        pageOfWaiting: Effect.fn("Cases.pageOfWaiting")(assignments.pageOfWaiting),

        assignToLeastBusy: Effect.fn("Cases.assignToLeastBusy")(function* (organizationId, ids) {
          const remaining = new Set<CaseId>()
          let next = ids
          // A case is tried again only because another move was faster, and that one is done: so this comes to an end.
          while (next.length > 0) {
            const { left, outrun } = yield* assignLocked(organizationId, next)
            for (const id of left) remaining.add(id)
            next = outrun
          }
          return remaining
        }),

        hasOther: Effect.fn("Cases.hasOther")(repo.hasOther),
        hasNewer: Effect.fn("Cases.hasNewer")(repo.hasNewer),

        locksProfile: Effect.fn("Cases.locksProfile")(repo.wasGiven)
      })
    })
  ).pipe(Layer.provide(ActivityWakeUp.layer))
}
