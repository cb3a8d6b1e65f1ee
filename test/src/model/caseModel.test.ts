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
  // Oftener than CLOSE, because little happens to a closed case.
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
  /** The last escalation of each title. */
  readonly escalations: Map<string, string>
}

const decision = (addedByUserId: string, outcome: string) =>
  decisionBody(addedByUserId, { isApproved: outcome === "APPROVED", isNoDecision: outcome === "NO_DECISION" })

const ask = (known: Known, operation: Operation) => {
  const { caseId, clinic, providers } = known
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
      return admin("POST", `/escalations/${known.escalations.get(operation.title)}/complete`, {})
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
      const { intentId } = known
      const event = operation.news === "succeeded" ? succeeded(intentId) : failed(intentId)
      return Effect.tap(sendEvent(event), () => untilEventsHandled)
    }
  }
}

/** The case as it is now, in the words of the model. What the pharmacy does comes in between, and is left out. */
const readModel = Effect.fnUntraced(function* ({ caseId, escalations, providers }: Known) {
  const found = (yield* admin("GET", `/cases/${caseId}`)).json
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
  const provider = providers.indexOf(found.assignedTo?.id)
  const [product] = found.products
  const model: CaseModel = {
    status: found.status,
    isArchived: found.isArchived,
    archiveNote: found.archiveNote,
    provider: provider === 0 || provider === 1 ? provider : null,
    isProductClosed: product.status === "CLOSED",
    hasDueDate: product.dueDate !== null,
    escalations: listed
      .filter(({ isCompleted }: { readonly isCompleted: boolean }) => !isCompleted)
      .map(({ title }: { readonly title: string }) => title)
      .sort(),
    orders: found.orders.length,
    isPaid: paymentStatus === "PAID",
    activity: activity.map(({ type }) => type).filter((type) => type !== "ORDER_CHANGED")
  }
  return model
})

/** What two operations come to, the one after the other: how each was answered, and the case at the end. */
const inTurn = (before: CaseModel, first: Operation, second: Operation) => {
  const one = apply(before, first)
  const two = apply(one.after, second)
  const told = ({ error, status }: { readonly status: number; readonly error?: string }) => ({ status, error })
  return { first: told(one), second: told(two), after: { ...two.after, escalations: two.after.escalations.toSorted() } }
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
      // A test case, so that nobody else moves it.
      const providerReference = yield* paymentIntent()
      const body = caseBody(clinic, {
        isTest: true,
        idempotencyKey: "once",
        payment: { amount: 10, currency: "USD", providerReference },
        ...(begin === "ABANDONED" && { status: begin })
      })
      const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
      yield* jobsDone("cases", "payment-recording")
      const known: Known = { clinic, caseId, providers, intentId: providerReference.id, escalations: new Map() }
      if (begin === "ASSIGNED" || begin === "IN_PROGRESS") yield* ask(known, { kind: "assign", provider: 0 })
      if (begin === "IN_PROGRESS") yield* ask(known, { kind: "start" })
      let state = yield* readModel(known)

      for (const pair of pairs) {
        // An escalation that never was cannot be named.
        const asked = pair.filter(
          ({ kind, ...rest }) => kind !== "complete" || known.escalations.has("title" in rest ? rest.title : "")
        )
        const [first, second] = asked
        if (first === undefined || second === undefined) continue
        // Of two news at once the second may be all that is told.
        const concurrency = first.kind === "payment" && second.kind === "payment" ? 1 : 2
        const [one, two] = yield* Effect.all([ask(known, first), ask(known, second)], { concurrency })
        const after = yield* readModel(known)
        const told = ({ json, status }: typeof one) => ({
          status,
          error: status === 400 ? (json.error as string) : undefined
        })
        const seen = { first: told(one), second: told(two), after }
        const { first: later, second: earlier, ...end } = inTurn(state, second, first)
        const explained = [inTurn(state, first, second), { first: earlier, second: later, ...end }]
        assert.deepInclude(
          explained.map((each) => JSON.stringify(each)),
          JSON.stringify(seen),
          JSON.stringify(asked)
        )
        state = after
      }
    }),
    { arbitrary: { runs: 8 }, timeout: 120_000 }
  )
})
