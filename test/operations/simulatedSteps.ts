import type { MakeRequest } from "./Operation.ts"

const ofSandboxOrder =
  (body: object): MakeRequest =>
  async (fixtures) => ({ params: { caseId: await fixtures.orderedSandboxCaseId() }, body })

/** Requests of steps with all texts that steps have. */
export const simulatedSteps: Readonly<Record<string, MakeRequest>> = {
  "an approval": async (fixtures) => ({
    params: { caseId: await fixtures.sandboxCaseId() },
    body: {
      step: "APPROVE",
      decisionText: fixtures.text,
      medInfo: [
        {
          medicine: fixtures.text,
          dosage: fixtures.text,
          pharmacyInstructions: fixtures.text,
          dosingFrequency: fixtures.text,
          externalId: fixtures.text,
          treatmentPeriod: fixtures.text
        }
      ]
    }
  }),
  "a refused order": ofSandboxOrder({ step: "ORDER_REFUSED", message: "Out of stock" }),
  "a replaced order": ofSandboxOrder({ step: "ORDER_REPLACED", replacementReason: "Out of stock" }),
  "a shipped order": ofSandboxOrder({
    step: "ORDER_SHIPPED",
    trackingId: "1Z999AA10123456784",
    trackingUrl: "https://example.com/1Z999AA10123456784",
    carrierName: "UPS"
  }),
  "an accepted order": async (fixtures) => {
    const params = { caseId: await fixtures.orderedSandboxCaseId() }
    await fixtures.send("simulations.simulate", { params, body: { step: "ORDER_REFUSED" } })
    return { params, body: { step: "ORDER_ACCEPTED", pharmacyOrderId: "order-1" } }
  }
}
