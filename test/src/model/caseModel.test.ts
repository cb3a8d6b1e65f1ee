import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { admin, call } from "../harness/call.ts"
import { jobsDone } from "../harness/database.ts"
import { type Clinic, caseBody, createCase, decisionBody, makeClinic } from "../harness/fixtures.ts"
import { failed, paymentOf, succeeded, untilEventsHandled } from "../harness/gatewayEvents.ts"
import { placeOrder } from "../harness/placeOrder.ts"
import { paymentIntent } from "../harness/references.ts"
import { Suite } from "../harness/Suite.ts"
import { sendEvent } from "../harness/stripe.ts"
import { apply, type CaseModel, closingNote, type Operation } from "./CaseModel.ts"

const Title = Schema.Literals(["Missing ID", "Hold Order"])
const Asked = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("status"), status: Schema.Literal("OPEN") }),
  Schema.Struct({ kind: Schema.Literal("status"), status: Schema.Literals(["CLOSE", "REOPEN"]) }),
  // More often than CLOSE, because few operations change a closed case.
  Schema.Struct({ kind: Schema.Literal("status"), status: Schema.Literal("REOPEN") }),
  Schema.Struct({ kind: Schema.Literal("order") }),
  Schema.Struct({
    kind: Schema.Literal("escalate"),
    titles: Schema.UniqueArray(Title).check(Schema.isMinLength(1))
  }),
  Schema.Struct({ kind: Schema.Literal("complete"), title: Title }),
  Schema.Struct({ kind: Schema.Literal("product"), change: Schema.Literals(["CLOSE", "DUE_DATE"]) }),
  Schema.Struct({ kind: Schema.Literal("assign"), provider: Schema.Literals([0, 1]) }),
  Schema.Struct({ kind: Schema.Literal("start") }),
  Schema.Struct({ kind: Schema.Literal("decide"), outcome: Schema.Literals(["APPROVED", "REJECTED", "NO_DECISION"]) }),
  Schema.Struct({ kind: Schema.Literal("comment") }),
  Schema.Struct({ kind: Schema.Literal("payment"), news: Schema.Literals(["succeeded", "failed"]) })
])

const Pairs = Schema.Array(Schema.Tuple([Asked, Asked])).check(Schema.isBetweenLength(12, 16))

interface Known {
  readonly clinic: Clinic
  readonly caseId: string
  readonly providers: readonly [string, string]
  readonly intentId: string
  /** The ids of the latest escalation of each title. */
  readonly escalations: Map<string, string>
}

const decision = (addedByUserId: string, outcome: string) =>
  decisionBody(addedByUserId, { isApproved: outcome === "APPROVED", isNoDecision: outcome === "NO_DECISION" })

const perform = (context: Known, operation: Operation) => {
  const { caseId, clinic, providers } = context
  const act = (body: Readonly<Record<string, unknown>>) =>
    call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
  const work = (path: string, body: unknown = {}) => admin("POST", `/cases/${caseId}/${path}`, body)
  switch (operation.kind) {
    case "status":
      return act({
        action: "CHANGE_CASE_STATUS",
        status: operation.status,
        ...(operation.status === "CLOSE" && { reason: closingNote })
      })
    case "order":
      return placeOrder(clinic, caseId)
    case "escalate":
      return act({
        action: "ADD_ESCALATION",
        escalations: operation.titles.map((title) => ({ type: "support", title }))
      })
    case "complete":
      return admin("POST", `/escalations/${context.escalations.get(operation.title)}/complete`, {})
    case "product":
      return act({
        action: "UPDATE_CASE_PRODUCT",
        caseProductInput: {
          productId: clinic.productId,
          ...(operation.change === "CLOSE" ? { status: "CLOSE" } : { dueDate: "2099-01-01" })
        }
      })
    case "assign":
      return work("assign", { providerId: providers[operation.provider] })
    case "start":
      return work("start")
    case "decide":
      return work("decisions", decision(providers[0], operation.outcome))
    case "comment":
      return work("comments", { authorUserId: providers[0], text: "Said", isRestricted: false })
    case "payment": {
      const { intentId } = context
      const event = operation.news === "succeeded" ? succeeded(intentId) : failed(intentId)
      return Effect.tap(sendEvent(event), () => untilEventsHandled)
    }
  }
}

/** Reads the state of a case for the model, without the pharmacy's activities, which happen at any time. */
const readModel = Effect.fnUntraced(function* ({ caseId, escalations, providers }: Known) {
  const detail = (yield* admin("GET", `/cases/${caseId}`)).json
  const listed = (yield* admin("GET", `/cases/${caseId}/escalations`)).json.data
  const activity: ReadonlyArray<{ readonly sequence: number; readonly type: string }> = (yield* admin(
    "GET",
    `/cases/${caseId}/activity?limit=100`
  )).json.data
  assert.deepStrictEqual(
    activity.map(({ sequence }) => sequence),
    activity.map((_, index) => index + 1)
  )
  for (const { id, title } of listed.toReversed()) escalations.set(title, id)
  const { status: paymentStatus } = yield* paymentOf(caseId)
  const provider = providers.indexOf(detail.assignedTo?.id)
  const [product] = detail.products
  const model: CaseModel = {
    status: detail.status,
    isArchived: detail.isArchived,
    archiveNote: detail.archiveNote,
    provider: provider === 0 || provider === 1 ? provider : null,
    isProductClosed: product.status === "CLOSED",
    hasDueDate: product.dueDate !== null,
    escalations: listed
      .filter(({ isCompleted }: { readonly isCompleted: boolean }) => !isCompleted)
      .map(({ title }: { readonly title: string }) => title)
      .sort(),
    orders: detail.orders.length,
    isPaid: paymentStatus === "PAID",
    activity: activity.map(({ type }) => type).filter((type) => type !== "ORDER_CHANGED")
  }
  return model
})

/** Applies two operations one after the other. Returns both outcomes and the resulting case. */
const inTurn = (before: CaseModel, first: Operation, second: Operation) => {
  const firstOutcome = apply(before, first)
  const secondOutcome = apply(firstOutcome.after, second)
  const outcomeOf = ({ error, status }: { readonly status: number; readonly error?: string }) => ({ status, error })
  return {
    first: outcomeOf(firstOutcome),
    second: outcomeOf(secondOutcome),
    after: { ...secondOutcome.after, escalations: secondOutcome.after.escalations.toSorted() }
  }
}

layer(Suite.shared, { timeout: "60 seconds", excludeTestServices: true })("all operations on a case", (it) => {
  it.effect.prop(
    "of any two at a time the end and both answers are as if one had come after the other",
    { pairs: Pairs, begin: Schema.Literals(["ABANDONED", "OPEN", "ASSIGNED", "IN_PROGRESS"]) },
    Effect.fnUntraced(function* ({ begin, pairs }) {
      const clinic = yield* makeClinic
      const provider = (name: string) =>
        Effect.map(
          admin("POST", `/organizations/${clinic.organizationId}/members`, {
            email: `${name}.${clinic.organizationId}@example.com`,
            firstName: name,
            lastName: "Rivera",
            role: "PROVIDER"
          }),
          ({ json }): string => json.id
        )
      const providers = [yield* provider("jane"), yield* provider("jack")] as const
      // A test case, so that it does not change by itself.
      const providerReference = yield* paymentIntent()
      const body = caseBody(clinic, {
        isTest: true,
        idempotencyKey: "once",
        payment: { amount: 10, currency: "USD", providerReference },
        ...(begin === "ABANDONED" && { status: begin })
      })
      const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
      yield* jobsDone("cases", "payment-recording")
      const context: Known = { clinic, caseId, providers, intentId: providerReference.id, escalations: new Map() }
      if (begin === "ASSIGNED" || begin === "IN_PROGRESS") yield* perform(context, { kind: "assign", provider: 0 })
      if (begin === "IN_PROGRESS") yield* perform(context, { kind: "start" })
      let state = yield* readModel(context)

      for (const pair of pairs) {
        // An escalation that was never added has no id to complete.
        const possible = pair.filter(
          ({ kind, ...rest }) => kind !== "complete" || context.escalations.has("title" in rest ? rest.title : "")
        )
        const [first, second] = possible
        if (first === undefined || second === undefined) continue
        // Of two simultaneous changes only the second may be recorded.
        const concurrency = first.kind === "payment" && second.kind === "payment" ? 1 : 2
        const [firstAnswer, secondAnswer] = yield* Effect.all([perform(context, first), perform(context, second)], {
          concurrency
        })
        const after = yield* readModel(context)
        const outcomeIn = ({ json, status }: typeof firstAnswer) => ({
          status,
          error: status === 400 ? (json.error as string) : undefined
        })
        const observed = { first: outcomeIn(firstAnswer), second: outcomeIn(secondAnswer), after }
        const { first: later, second: earlier, ...end } = inTurn(state, second, first)
        const explained = [inTurn(state, first, second), { first: earlier, second: later, ...end }]
        assert.deepInclude(
          explained.map((each) => JSON.stringify(each)),
          JSON.stringify(observed),
          JSON.stringify(possible)
        )
        state = after
      }
    }),
    { arbitrary: { runs: 8 }, timeout: 120_000 }
  )
})
