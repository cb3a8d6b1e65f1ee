import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf } from "./operationTypes.ts"

/** Forms of cases. */
export class Forms {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Adds the answers of a form to a case.
   *
   * @example
   * ```ts
   * const { data } = await care.forms.submit({
   *   caseId,
   *   formTitle: "Follow-up",
   *   questions: [{ questionId: "weight", question: "How much do you weigh?", type: "TEXT", answer: "180" }]
   * })
   * console.log(data.formResponseId)
   * ```
   */
  submit(
    body: BodyOf<"dynamicCases.submitCaseForm">,
    options?: CallOptions
  ): Promise<AnswerOf<"dynamicCases.submitCaseForm">> {
    return this.#transport.send("dynamicCases.submitCaseForm", { body }, options)
  }
}
