import { randomUUID } from "node:crypto"
import type { ProviderUnknown } from "@care/domain/auth"
import {
  type CaseMove,
  type CaseNotFound,
  type CaseStatusConflict,
  type Decision,
  type NewDecision,
  ProductNotInCase
} from "@care/domain/cases"
import type { RequestInvalid, StaffRefused } from "@care/domain/http"
import type { CaseId, OrganizationId } from "@care/domain/ids"
import { inTransaction, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Directory } from "../directory/Directory.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { makeExplained } from "../lifecycle/makeExplained.ts"
import type { NewestOfCase } from "../newestOfCase.ts"
import { inOwnName } from "../people/inOwnName.ts"
import { decisionOf, makeDecisionsRepo } from "./DecisionsRepo.ts"

const moveOf = ({ id: decisionId, isApproved, isNoDecision }: Decision): CaseMove => {
  if (isApproved) return { name: "approve", decisionId }
  return { name: isNoDecision ? "leaveUndecided" : "reject", decisionId }
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

type Conflict = CaseNotFound | CaseStatusConflict
type Refusal = CaseNotFound | ProviderUnknown | ProductNotInCase | RequestInvalid | StaffRefused

/** The decisions of providers on cases. */
export class Decisions extends Context.Service<
  Decisions,
  {
    /** Stores a decision of a provider of the case's organization, and moves the case accordingly. */
    readonly add: (caseId: CaseId, decision: NewDecision) => Effect.Effect<Decision, Refusal | Conflict>
    /** Checks the same, and returns the change, which only uses the database. */
    readonly prepare: (
      caseId: CaseId,
      decision: NewDecision
    ) => Effect.Effect<Effect.Effect<Decision, Conflict>, Refusal>
    /** Returns those of the decisions that are the organization's. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Decision>>
    readonly newest: NewestOfCase<Decision>
  }
>()("@care/cases/decisions/Decisions") {
  static readonly layer = Layer.effect(
    Decisions,
    Effect.gen(function* () {
      const repo = yield* makeDecisionsRepo
      const cases = yield* Cases
      const directory = yield* Directory
      const explained = yield* makeExplained
      const sql = yield* SqlClient.SqlClient

      const prepare = Effect.fn("Decisions.prepare")(function* (caseId: CaseId, decision: NewDecision) {
        const { addedByUserId: named, category = null, medInfo: _, productId = null, ...fields } = decision
        const organizationId = yield* cases.organizationOf(caseId)
        const addedByUserId = yield* inOwnName("addedByUserId", named)
        if (productId !== null && !(yield* repo.hasProduct(organizationId, caseId, productId))) {
          return yield* new ProductNotInCase({ productId })
        }
        const addedBy = yield* directory.prescriber(organizationId, addedByUserId)
        const created: Decision = {
          ...fields,
          id: randomUUID(),
          category,
          productId,
          createdAt: yield* Time.nowAsDate,
          addedBy,
          medInfo: medicines(decision)
        }
        const store = Effect.gen(function* () {
          yield* cases.move(organizationId, caseId, moveOf(created))
          const key = yield* cases.keyOf(organizationId, caseId)
          yield* repo.insert(key, { ...created, organizationId, caseId, addedBy: addedByUserId, prescriber: addedBy })
        })
        return Effect.as(explained(organizationId, caseId, inTransaction(sql)(store)), created)
      })

      return Decisions.of({
        add: (caseId, decision) => Effect.flatten(prepare(caseId, decision)),

        prepare,

        findAll: Effect.fn("Decisions.findAll")(function* (organizationId, ids) {
          return (yield* repo.findAll(organizationId, ids)).map(decisionOf)
        }),
        newest: Effect.fn("Decisions.newest")(function* (...page) {
          return (yield* repo.newest(...page)).map(decisionOf)
        })
      })
    })
  ).pipe(Layer.provide(Cases.layer))
}
