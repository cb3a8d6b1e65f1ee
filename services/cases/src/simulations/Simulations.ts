import { Audit } from "@care/audit"
import { timeAfter } from "@care/domain/auth"
import {
  CareTeamStep,
  type CaseForbidden,
  CaseNotFound,
  OrderStep,
  Simulated,
  type SimulatedStep,
  StepImpossible
} from "@care/domain/cases"
import { callers, type IdempotencyConflict, type RequestInvalid, type StepRefused } from "@care/domain/http"
import { type CaseId, type OrganizationId, Uuid } from "@care/domain/ids"
import { PaymentStep } from "@care/domain/payments"
import { AppointmentStep } from "@care/domain/scheduling"
import { Once, onceOperation } from "@care/once"
import { CurrentIdentity, inTransaction, newest, Time } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CaseOpenings, Cases, Decisions, Directory, makeAcceptPayment } from "../case/index.ts"
import { Comments } from "../comments/index.ts"
import { Escalations } from "../escalations/index.ts"
import { OrderChanges, Orders } from "../orders/index.ts"
import { makeCareTeamSteps, type StepOf } from "./makeCareTeamSteps.ts"
import { makeElsewhere } from "./makeElsewhere.ts"
import { makeOrderSteps } from "./makeOrderSteps.ts"
import { type Elsewhere, possibleSteps, type Situation } from "./possibleSteps.ts"
import { makeSimulationsRepo } from "./SimulationsRepo.ts"

const simulation = onceOperation({ name: "simulateStep", version: 1, ids: { stepId: Uuid }, answer: Simulated })

const maxOrders = 100

const isOfCareTeam = Schema.is(CareTeamStep)
const isOfOrder = Schema.is(OrderStep)
const isOfPayment = Schema.is(PaymentStep)
const isOfAppointment = Schema.is(AppointmentStep)

type NotOwn = CaseNotFound | CaseForbidden
type Refusal = RequestInvalid | StepImpossible

/** What others do with the cases of sandboxes. */
export class Simulations extends Context.Service<
  Simulations,
  {
    /** Returns the steps that are possible for a case now. */
    readonly possible: (organizationId: OrganizationId, caseId: CaseId) => Effect.Effect<Simulated, NotOwn>
    /** Takes a step, by the code that the real one goes through, and in the name of who would take it. */
    readonly simulate: (
      organizationId: OrganizationId,
      caseId: CaseId,
      step: SimulatedStep,
      key: string | undefined
    ) => Effect.Effect<Simulated, NotOwn | Refusal | IdempotencyConflict>
  }
>()("@care/cases/simulations/Simulations") {
  static readonly layer = Layer.effect(
    Simulations,
    Effect.gen(function* () {
      const acceptPayment = yield* makeAcceptPayment
      const audit = yield* Audit
      const cases = yield* Cases
      const directory = yield* Directory
      const elsewhere = yield* makeElsewhere
      const escalations = yield* Escalations
      const once = yield* Once
      const orders = yield* Orders
      const prepareCareTeam = yield* makeCareTeamSteps
      const reportOrder = yield* makeOrderSteps
      const repo = yield* makeSimulationsRepo
      const sql = yield* SqlClient.SqlClient

      const providersOf = (organizationId: OrganizationId) =>
        Effect.map(directory.providers(organizationId), (providers) => providers.map(({ person }) => person.id))

      const situationOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        hasProvider: boolean
      ) {
        // A reset may have removed it since it was looked for.
        const stage = yield* Effect.fromOption(yield* repo.findCase(organizationId, caseId), () => new CaseNotFound())
        const ofCase = yield* orders.newest(organizationId, caseId, newest, maxOrders)
        const active = yield* escalations.active(organizationId, caseId)
        return { stage, hasProvider, orders: ofCase, escalations: active }
      })

      const answerOf = (id: CaseId, situation: Situation, others: Elsewhere): Simulated => {
        const { isArchived, status } = situation.stage
        return { case: { id, status, isArchived }, possible: possibleSteps(situation, others) }
      }

      const impossible = ({ step }: SimulatedStep, { case: { isArchived, status }, possible }: Simulated) =>
        new StepImpossible({ step, status, isArchived, possible })

      const look = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
        const [others, providers] = yield* Effect.all(
          [elsewhere.possible(organizationId, caseId), providersOf(organizationId)],
          { concurrency: "unbounded" }
        )
        return { others, providers, situation: yield* situationOf(organizationId, caseId, providers.length > 0) }
      })

      // Returns what the step changes here, of the situation under the lock. What others have to do for it, they have done then.
      const prepareStep = Effect.fnUntraced(function* (
        { step, ...request }: StepOf<SimulatedStep>,
        { providers, situation }: Effect.Success<ReturnType<typeof look>>
      ): Effect.fn.Return<
        (situation: Situation) => Effect.Effect<void, RequestInvalid | StepRefused>,
        RequestInvalid | StepRefused
      > {
        if (isOfCareTeam(step)) {
          const { assignedTo } = situation.stage
          const named = step.step === "ASSIGN" ? step.providerId : (assignedTo ?? undefined)
          const other = providers.find((id) => id !== assignedTo) ?? providers[0]
          const providerId = named ?? other
          if (providerId === undefined) return yield* Effect.die(new Error("The step was possible without a provider"))
          const change = yield* prepareCareTeam({ ...request, step }, providerId)
          return () => change
        }
        if (isOfOrder(step)) return ({ orders: present }) => reportOrder({ ...request, step }, present)
        if (isOfPayment(step)) {
          const snapshot = yield* elsewhere.pay({ ...request, step })
          const identity = { _tag: callers.service.kind, service: "payments" }
          return () => Effect.provideService(acceptPayment(snapshot), CurrentIdentity, identity)
        }
        if (isOfAppointment(step)) {
          yield* elsewhere.meet({ ...request, step })
          return () => Effect.void
        }
        const until = timeAfter(yield* Time.now, step.for)
        return () => repo.failWebhooks(request.organizationId, DateTime.toDateUtc(until))
      })

      // Parallel simulations of a case run one after the other, and each is checked again: real actors have no part in it.
      const change = Effect.fnUntraced(function* (
        { caseId, organizationId, step }: StepOf<SimulatedStep>,
        hasProvider: boolean,
        others: Elsewhere,
        apply: (situation: Situation) => Effect.Effect<void, RequestInvalid | StepRefused>
      ) {
        yield* repo.lock(caseId)
        if (isOfCareTeam(step)) yield* cases.lock(organizationId, caseId)
        const before = yield* situationOf(organizationId, caseId, hasProvider)
        const isDoneElsewhere = isOfPayment(step) || isOfAppointment(step)
        const answerBefore = answerOf(caseId, before, others)
        if (!isDoneElsewhere && !answerBefore.possible.includes(step.step)) return yield* impossible(step, answerBefore)
        yield* Effect.catchTag(apply(before), "StepRefused", () => impossible(step, answerBefore))
        const { userId } = before.stage
        yield* audit.changed({ organizationId, action: "STEP_SIMULATED", caseId, userId })
        return answerOf(caseId, yield* situationOf(organizationId, caseId, hasProvider), others)
      }, inTransaction(sql))

      const prepare = Effect.fnUntraced(function* (request: StepOf<SimulatedStep>) {
        const { caseId, organizationId, step } = request
        yield* cases.requireOwn(organizationId, caseId)
        const found = yield* look(organizationId, caseId)
        const answer = answerOf(caseId, found.situation, found.others)
        // Payments refuses by itself, but for what it has done: this request may be the repeat of one that broke off after it.
        if (!isOfPayment(step) && !answer.possible.includes(step.step)) return yield* impossible(step, answer)
        const needsProvider = step.step === "ASSIGN" && step.providerId === undefined && found.providers.length === 0
        if (needsProvider) yield* directory.requireProvider(organizationId)
        const seen = needsProvider ? yield* look(organizationId, caseId) : found
        const apply = yield* Effect.catchTag(prepareStep(request, seen), "StepRefused", () => impossible(step, answer))
        const isDoneElsewhere = isOfPayment(step) || isOfAppointment(step)
        const others = isDoneElsewhere ? yield* elsewhere.possible(organizationId, caseId) : seen.others
        return change(request, seen.situation.hasProvider, others, apply)
      })

      return Simulations.of({
        possible: Effect.fn("Simulations.possible")(function* (organizationId, caseId) {
          const { userId } = yield* cases.requireOwn(organizationId, caseId)
          const { others, situation } = yield* look(organizationId, caseId)
          yield* audit.read({ organizationId, action: "CASE_READ", caseId, userId })
          return answerOf(caseId, situation, others)
        }),

        simulate: Effect.fn("Simulations.simulate")((organizationId, caseId, step, key) =>
          once.run(simulation, { organizationId, key, body: { caseId, step } }, ({ stepId: id }) =>
            prepare({ id, organizationId, caseId, step })
          )
        )
      })
    })
  ).pipe(
    Layer.provide([
      CaseOpenings.layer,
      Cases.layer,
      Comments.layer,
      Decisions.layer,
      Escalations.layer,
      OrderChanges.layer,
      Orders.layer
    ])
  )
}
