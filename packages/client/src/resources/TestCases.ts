import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf } from "./operationTypes.ts"

/** What others do with a case of your sandbox. It needs a test key. */
export class TestCases {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Lists the steps that are possible for a case now.
   *
   * @example
   * ```ts
   * const { data } = await care.testCases.possible(testCaseId)
   * console.log(data.case.status, data.possible)
   * ```
   */
  possible(caseId: string, options?: CallOptions): Promise<AnswerOf<"simulations.possible">> {
    return this.#transport.send("simulations.possible", { params: { caseId } }, options)
  }

  /**
   * Simulates a step of the care team, the pharmacy, the payment gateway or the scheduling provider.
   *
   * @example
   * ```ts
   * const { data } = await care.testCases.simulate(testCaseId, { step: "COMMENT", text: "How are you?" })
   * console.log(data.possible)
   * ```
   */
  simulate(
    caseId: string,
    body: BodyOf<"simulations.simulate">,
    options?: CallOptions
  ): Promise<AnswerOf<"simulations.simulate">> {
    return this.#transport.send("simulations.simulate", { params: { caseId }, body }, options)
  }
}
