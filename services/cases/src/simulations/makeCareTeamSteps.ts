import type { CareTeamStep, NewDecision } from "@care/domain/cases"
import { callers, type Identity, RequestInvalid } from "@care/domain/http"
import { type CaseId, type EscalationId, type OrganizationId, StaffSessionId, type UserId } from "@care/domain/ids"
import { CurrentIdentity, Time } from "@care/service-kit"
import { DateTime, Effect } from "effect"
import { Cases, Decisions, Directory } from "../case/index.ts"
import { Comments } from "../comments/index.ts"
import { Escalations } from "../escalations/index.ts"
import { missedAppointment } from "./possibleSteps.ts"

/** A step of a case. `id` is new for each request. */
export interface StepOf<Step> {
  readonly id: string
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly step: Step
}

type Decide = Extract<CareTeamStep, { readonly step: "APPROVE" | "REJECT" | "NO_DECISION" }>

const decisionTexts = {
  APPROVE: "The treatment is approved.",
  REJECT: "The treatment is not suitable.",
  NO_DECISION: "No decision can be made."
} as const

const decisionOf = (step: Decide, addedByUserId: UserId, now: DateTime.Utc): NewDecision => ({
  addedByUserId,
  isApproved: step.step === "APPROVE",
  isNoDecision: step.step === "NO_DECISION",
  decisionText: step.decisionText ?? decisionTexts[step.step],
  visitType: "ASYNC_TEXT_EMAIL",
  startDate: DateTime.toDateUtc(now),
  endDate: DateTime.toDateUtc(DateTime.add(now, { years: 1 })),
  medInfo: step.step === "APPROVE" ? (step.medInfo ?? []) : [],
  ...(step.step === "APPROVE" && step.productId !== undefined && { productId: step.productId })
})

// The provider works in the console. No session is behind it, so the step stands for one. As an administrator they see every case of the
// sandbox, also one that another provider has.
const identityOf = ({ id, organizationId }: StepOf<CareTeamStep>, userId: UserId): Identity => ({
  _tag: callers.staff.kind,
  sessionId: StaffSessionId.make(id),
  userId,
  organizationId,
  role: "ADMIN",
  isTest: true
})

// The step was possible under the lock of the case, so nothing refuses it.
const done = <A, E>(change: Effect.Effect<A, E>): Effect.Effect<void> => Effect.asVoid(Effect.orDie(change))

/**
 * Makes the function that does what a provider of the sandbox does with a case, in the provider's name. It checks the step outside a
 * transaction, and returns the change. The step has to be possible.
 */
export const makeCareTeamSteps = Effect.gen(function* () {
  const cases = yield* Cases
  const comments = yield* Comments
  const decisions = yield* Decisions
  const directory = yield* Directory
  const escalations = yield* Escalations

  const completeEscalation = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    caseId: CaseId,
    named: EscalationId | undefined
  ) {
    const active = yield* escalations.active(organizationId, caseId)
    const found = active.find(({ id }) => named === undefined || id === named)
    if (found === undefined)
      return yield* RequestInvalid.inPayload("escalationId", "must be an active escalation of the case")
    yield* Effect.orDie(escalations.complete(found.id))
  })

  const prepare = Effect.fnUntraced(function* (
    { caseId, organizationId, step }: StepOf<CareTeamStep>,
    providerId: UserId
  ) {
    switch (step.step) {
      case "ASSIGN":
        yield* directory.prescriber(organizationId, providerId)
        return done(cases.move(organizationId, caseId, { name: "assign", providerId, assignedBy: providerId }))
      case "START":
        return done(cases.move(organizationId, caseId, { name: "start" }))
      case "COMMENT":
        return done(yield* comments.prepare(caseId, { authorUserId: providerId, text: step.text, isRestricted: false }))
      case "APPROVE":
      case "REJECT":
      case "NO_DECISION":
        return done(yield* decisions.prepare(caseId, decisionOf(step, providerId, yield* Time.now)))
      case "ESCALATION_COMPLETED":
        return completeEscalation(organizationId, caseId, step.escalationId)
      case "APPOINTMENT_MISSED":
        return done(escalations.escalate(caseId, [missedAppointment]))
    }
  })

  return (request: StepOf<CareTeamStep>, providerId: UserId) => {
    const asProvider = Effect.provideService(CurrentIdentity, identityOf(request, providerId))
    return prepare(request, providerId).pipe(
      Effect.map(asProvider),
      Effect.catchTags({
        ProviderUnknown: () => RequestInvalid.inPayload("providerId", "must be a provider of the sandbox"),
        ProductNotInCase: () => RequestInvalid.inPayload("productId", "must be a product of the case"),
        CaseNotFound: Effect.die,
        FileRefused: Effect.die,
        StaffRefused: Effect.die,
        StaffUnknown: Effect.die,
        UserNotInOrganization: Effect.die
      }),
      asProvider
    )
  }
})
