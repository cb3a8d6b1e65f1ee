import { ProductId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import { type DecisionDraft, decisionOf, emptyDecision, emptyMedicine, mistakeIn } from "./decisionDraft.ts"

const productId = ProductId.make("3b241101-e2bb-4255-8caf-4136c566a962")
const product = {
  productId,
  name: "Program",
  price: null,
  currency: null,
  status: "OPEN",
  visitType: "SYNC_VIDEO",
  dueDate: null,
  closedAt: null,
  closeReason: null
} as const
const draft: DecisionDraft = {
  ...emptyDecision({ type: "SYNC_VIDEO" }),
  outcome: "APPROVED",
  startDate: "2026-01-01",
  endDate: "2026-04-01"
}

describe("the draft of a decision", () => {
  it("says what is missing or wrong", () => {
    const mistakes = [
      { outcome: null },
      { startDate: "" },
      { endDate: "2025-12-31" },
      { medicines: [emptyMedicine()] },
      { medicines: [{ ...emptyMedicine(), medicine: "A", refillCount: "1.5" }] }
    ] as const
    for (const change of mistakes) assert.isString(mistakeIn({ ...draft, ...change }))
    assert.isUndefined(mistakeIn(draft))
    assert.isUndefined(mistakeIn({ ...draft, outcome: "REJECTED", medicines: [emptyMedicine()] }))
  })

  it("is sent without empty fields, with days as the beginning of the day in UTC", () => {
    const medicines = [{ ...emptyMedicine(), medicine: " Semaglutide ", refillCount: "2" }]
    const sent = decisionOf({ ...draft, productId, medicines }, [product])
    assert.deepInclude(sent, { isApproved: true, isNoDecision: false, productId })
    assert.notProperty(sent, "category")
    assert.strictEqual(sent.endDate.toISOString(), "2026-04-01T00:00:00.000Z")
    assert.deepInclude(sent.medInfo[0], { medicine: "Semaglutide", refillCount: 2 })
    assert.notProperty(sent.medInfo[0], "externalId")
  })

  it("has medicines and a product of the case only where they belong", () => {
    const other = { ...draft, outcome: "NO_DECISION", productId: "other", medicines: [emptyMedicine()] } as const
    const sent = decisionOf(other, [product])
    assert.deepInclude(sent, { isApproved: false, isNoDecision: true, medInfo: [] })
    assert.notProperty(sent, "productId")
  })
})
