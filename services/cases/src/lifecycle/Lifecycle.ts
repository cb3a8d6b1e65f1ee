import { randomUUID } from "node:crypto"
import {
  type CaseId,
  CaseNotFound,
  type CaseStatus,
  CaseStatusConflict,
  type Decision,
  type NewDecision,
  type OrganizationId,
  ProductNotInCase,
  type ProviderUnknown,
  type UserId
} from "@care/domain"
import { PhiCipher } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../directory/Directory.ts"
import { CaseOwners } from "../owners/CaseOwners.ts"
import { LifecycleRepo, type Transition } from "./LifecycleRepo.ts"

const decidable: ReadonlyArray<CaseStatus> = ["ASSIGNED", "IN_PROGRESS", "APPROVED", "REJECTED", "NO_DECISION"]

const outcome = ({ isApproved, isNoDecision }: NewDecision): CaseStatus => {
  if (isApproved) return "APPROVED"
  return isNoDecision ? "NO_DECISION" : "REJECTED"
}

const medicines = ({ medInfo }: NewDecision) =>
  medInfo.map((medicine) => ({
    id: randomUUID(),
    medicine: medicine.medicine,
    dosage: medicine.dosage ?? "",
    refillCount: medicine.refillCount ?? 0,
    pharmacyInstructions: medicine.pharmacyInstructions ?? "",
    dosingFrequency: medicine.dosingFrequency ?? "",
    externalId: medicine.externalId ?? null,
    isRefill: medicine.isRefill ?? false,
    treatmentPeriod: medicine.treatmentPeriod ?? "",
    isPriorAuthRequested: medicine.isPriorAuthRequested ?? false
  }))

/** The care team's work on cases: who has one, when work begins, what is decided. */
export class Lifecycle extends Context.Service<
  Lifecycle,
  {
    /** Gives an open case to a provider of its organization, or an assigned one to another. */
    readonly assign: (
      id: CaseId,
      providerId: UserId
    ) => Effect.Effect<void, CaseNotFound | CaseStatusConflict | ProviderUnknown>
    /** Begins work on an assigned case. */
    readonly start: (id: CaseId) => Effect.Effect<void, CaseNotFound | CaseStatusConflict>
    /** Stores a decision of a provider of the case's organization, and moves the case to its outcome. */
    readonly decide: (
      id: CaseId,
      decision: NewDecision
    ) => Effect.Effect<Decision, CaseNotFound | CaseStatusConflict | ProviderUnknown | ProductNotInCase>
  }
>()("@care/cases/lifecycle/Lifecycle") {
  static readonly layer = Layer.effect(
    Lifecycle,
    Effect.gen(function* () {
      const repo = yield* LifecycleRepo
      const owners = yield* CaseOwners
      const directory = yield* Directory
      const cipher = yield* PhiCipher
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fnUntraced(function* (organizationId: OrganizationId, id: CaseId) {
        const found = yield* repo.find(organizationId, id)
        return Option.isSome(found) ? found.value : yield* new CaseNotFound()
      })

      // What does not move is told by the state that kept it from moving.
      const move = Effect.fnUntraced(function* (organizationId: OrganizationId, transition: Transition) {
        if (yield* repo.move(organizationId, transition)) return
        const { isArchived, status } = yield* find(organizationId, transition.id)
        return yield* new CaseStatusConflict({ status, isArchived, needed: transition.from })
      })

      const assign = Effect.fn("Lifecycle.assign")(function* (id: CaseId, providerId: UserId) {
        const organizationId = yield* owners.of(id)
        yield* directory.prescriber(organizationId, providerId)
        const now = yield* DateTime.nowAsDate
        yield* move(organizationId, {
          id,
          from: ["OPEN", "ASSIGNED"],
          to: "ASSIGNED",
          assignedTo: providerId,
          assignedAt: now,
          updatedAt: now
        })
      })

      const start = Effect.fn("Lifecycle.start")(function* (id: CaseId) {
        const organizationId = yield* owners.of(id)
        const now = yield* DateTime.nowAsDate
        yield* move(organizationId, { id, from: ["ASSIGNED"], to: "IN_PROGRESS", inProgressAt: now, updatedAt: now })
      })

      const decide = Effect.fn("Lifecycle.decide")(function* (id: CaseId, decision: NewDecision) {
        const organizationId = yield* owners.of(id)
        const { productIds } = yield* find(organizationId, id)
        const productId = productIds.find((product) => product === decision.productId) ?? null
        if (decision.productId !== undefined && productId === null) {
          return yield* new ProductNotInCase({ productId: decision.productId })
        }
        const addedBy = yield* directory.prescriber(organizationId, decision.addedByUserId)
        const now = yield* DateTime.nowAsDate
        const { addedByUserId, category = null, medInfo: _, ...rest } = decision
        const made: Decision = {
          ...rest,
          id: randomUUID(),
          category,
          productId,
          createdAt: now,
          addedBy,
          medInfo: medicines(decision)
        }
        yield* sql
          .withTransaction(
            Effect.andThen(
              move(organizationId, { id, from: decidable, to: outcome(decision), updatedAt: now }),
              repo.insertDecision({
                id: made.id,
                caseId: id,
                organizationId,
                addedBy: addedByUserId,
                prescriber: addedBy,
                isApproved: made.isApproved,
                isNoDecision: made.isNoDecision,
                decisionText: cipher.seal(made.decisionText),
                category: category === null ? null : cipher.seal(category),
                visitType: made.visitType,
                productId,
                startDate: made.startDate,
                endDate: made.endDate,
                medInfo: cipher.seal(JSON.stringify(made.medInfo)),
                createdAt: now
              })
            )
          )
          .pipe(Effect.catchTag("SqlError", Effect.die))
        return made
      })

      return Lifecycle.of({ assign, start, decide })
    })
  ).pipe(Layer.provide([LifecycleRepo.layer, CaseOwners.layer]))
}
