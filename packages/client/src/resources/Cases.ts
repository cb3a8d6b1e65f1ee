import type { CallOptions } from "../CallOptions.ts"
import type { Escalation, ListedCase, Order } from "../generated.ts"
import { Pages } from "../Pages.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf, QueryOf } from "./operationTypes.ts"

/** The cases of patients. */
export class Cases {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Creates a case of a patient, who is enrolled if they are new.
   *
   * @example
   * ```ts
   * const { data } = await care.cases.create({
   *   user: {
   *     firstName: "Maria",
   *     lastName: "Lopez",
   *     email,
   *     phoneNumber,
   *     dob: "1988-04-12",
   *     gender: "FEMALE",
   *     shippingAddress: { addressLine1: "500 Howard Street", city: "San Francisco", state: "CA", country: "US" }
   *   },
   *   products: [{ id: productId }]
   * })
   * console.log(data.caseId)
   * ```
   */
  create(body: BodyOf<"intake.createCase">, options?: CallOptions): Promise<AnswerOf<"intake.createCase">> {
    return this.#transport.send("intake.createCase", { body }, options)
  }

  /**
   * Creates a case from the answers of a form.
   *
   * @example
   * ```ts
   * const { data } = await care.cases.createDynamic({
   *   firstName: "Maria",
   *   lastName: "Lopez",
   *   email,
   *   phoneNumber,
   *   formTitle: "Intake",
   *   questions: [{ question: "How much do you weigh?", type: "TEXT", required: true, phi: true, answer: "185" }]
   * })
   * console.log(data.caseId, data.formResponseId)
   * ```
   */
  createDynamic(
    body: BodyOf<"dynamicCases.createDynamicCase">,
    options?: CallOptions
  ): Promise<AnswerOf<"dynamicCases.createDynamicCase">> {
    return this.#transport.send("dynamicCases.createDynamicCase", { body }, options)
  }

  /**
   * Returns a case, by its id or as the newest of a patient's email.
   *
   * @example
   * ```ts
   * const { caseDetail } = await care.cases.retrieve({ caseId, includeOrders: true })
   * console.log(caseDetail.status)
   * ```
   */
  retrieve(query: QueryOf<"reading.caseDetail">, options?: CallOptions): Promise<AnswerOf<"reading.caseDetail">> {
    return this.#transport.send("reading.caseDetail", { query }, options)
  }

  /**
   * Returns the id of a patient's newest case, by email or phone number.
   *
   * @example
   * ```ts
   * const latest = await care.cases.latestId({ email: patientEmail })
   * console.log(latest.case.id)
   * ```
   */
  latestId(query: QueryOf<"reading.latestCaseId">, options?: CallOptions): Promise<AnswerOf<"reading.latestCaseId">> {
    return this.#transport.send("reading.latestCaseId", { query }, options)
  }

  /**
   * Lists the cases, such as those that changed since a time.
   *
   * @example
   * ```ts
   * for await (const each of care.cases.list({ updatedSince: "2026-01-01T00:00:00Z" })) console.log(each.status)
   * ```
   */
  list(query: QueryOf<"reading.cases"> = {}, options?: CallOptions): Pages<ListedCase, AnswerOf<"reading.cases">> {
    return new Pages((cursor) =>
      this.#transport.send("reading.cases", { query: { ...query, cursor: cursor ?? query.cursor } }, options)
    )
  }

  /**
   * Lists the orders of a case.
   *
   * @example
   * ```ts
   * for await (const order of care.cases.orders(caseId)) console.log(order.status)
   * ```
   */
  orders(
    caseId: string,
    query: QueryOf<"reading.orders"> = {},
    options?: CallOptions
  ): Pages<Order, AnswerOf<"reading.orders">> {
    return new Pages((cursor) =>
      this.#transport.send(
        "reading.orders",
        { params: { caseId }, query: { ...query, cursor: cursor ?? query.cursor } },
        options
      )
    )
  }

  /**
   * Returns an order of a case.
   *
   * @example
   * ```ts
   * const { data } = await care.cases.order(caseId, orderId)
   * console.log(data.status)
   * ```
   */
  order(caseId: string, orderId: string, options?: CallOptions): Promise<AnswerOf<"reading.order">> {
    return this.#transport.send("reading.order", { params: { caseId, orderId } }, options)
  }

  /**
   * Lists the escalations of a case.
   *
   * @example
   * ```ts
   * for await (const escalation of care.cases.escalations(caseId)) console.log(escalation.title)
   * ```
   */
  escalations(
    caseId: string,
    query: QueryOf<"reading.escalations"> = {},
    options?: CallOptions
  ): Pages<Escalation, AnswerOf<"reading.escalations">> {
    return new Pages((cursor) =>
      this.#transport.send(
        "reading.escalations",
        { params: { caseId }, query: { ...query, cursor: cursor ?? query.cursor } },
        options
      )
    )
  }

  /**
   * Returns an escalation of a case.
   *
   * @example
   * ```ts
   * const { data } = await care.cases.escalation(caseId, escalationId)
   * console.log(data.title)
   * ```
   */
  escalation(caseId: string, escalationId: string, options?: CallOptions): Promise<AnswerOf<"reading.escalation">> {
    return this.#transport.send("reading.escalation", { params: { caseId, escalationId } }, options)
  }

  /**
   * Opens, closes or reopens a case.
   *
   * @example
   * ```ts
   * await care.cases.changeStatus(caseId, { status: "CLOSE", reason: "The patient cancelled" })
   * ```
   */
  changeStatus(
    caseId: string,
    body: BodyOf<"caseActions.CHANGE_CASE_STATUS">,
    options?: CallOptions
  ): Promise<AnswerOf<"caseActions.CHANGE_CASE_STATUS">> {
    return this.#transport.send("caseActions.CHANGE_CASE_STATUS", { params: { caseId }, body }, options)
  }

  /**
   * Orders medication at the pharmacy.
   *
   * @example
   * ```ts
   * const { data } = await care.cases.placeOrder(caseId, {
   *   order: {
   *     shippingAddress: {
   *       addressLine1: "500 Howard Street",
   *       city: "San Francisco",
   *       state: "CA",
   *       country: "US",
   *       postalCode: "94105"
   *     },
   *     patientHealthInfo: { allergies: "None", currentMedications: "None" },
   *     prescriber: {
   *       firstName: "Jane",
   *       lastName: "Rivera",
   *       npi: "1234567893",
   *       email: "jane.rivera@example.com",
   *       phoneNumber: "+14155552671",
   *       address: {
   *         addressLine1: "1 Main Street",
   *         city: "San Francisco",
   *         state: "CA",
   *         country: "US",
   *         postalCode: "94105"
   *       }
   *     },
   *     diagnosis: "E66.9",
   *     pharmacyId: "pharmacy-1",
   *     prescriptionItems: [{ drugId: "drug-1", quantity: "1", direction: "Inject once a week", refillCount: 0, supplyDays: 28 }]
   *   }
   * })
   * console.log(data.order.id)
   * ```
   */
  placeOrder(
    caseId: string,
    body: BodyOf<"caseActions.PLACE_ORDER">,
    options?: CallOptions
  ): Promise<AnswerOf<"caseActions.PLACE_ORDER">> {
    return this.#transport.send("caseActions.PLACE_ORDER", { params: { caseId }, body }, options)
  }

  /**
   * Adds escalations, which the care team completes.
   *
   * @example
   * ```ts
   * await care.cases.escalate(caseId, {
   *   escalations: [{ type: "support", title: "Cancellation", note: "Wants to cancel" }]
   * })
   * ```
   */
  escalate(
    caseId: string,
    body: BodyOf<"caseActions.ADD_ESCALATION">,
    options?: CallOptions
  ): Promise<AnswerOf<"caseActions.ADD_ESCALATION">> {
    return this.#transport.send("caseActions.ADD_ESCALATION", { params: { caseId }, body }, options)
  }

  /**
   * Closes a product of a case, or changes its due date.
   *
   * @example
   * ```ts
   * await care.cases.updateProduct(caseId, {
   *   caseProductInput: { productId, status: "CLOSE", reason: "Done" }
   * })
   * ```
   */
  updateProduct(
    caseId: string,
    body: BodyOf<"caseActions.UPDATE_CASE_PRODUCT">,
    options?: CallOptions
  ): Promise<AnswerOf<"caseActions.UPDATE_CASE_PRODUCT">> {
    return this.#transport.send("caseActions.UPDATE_CASE_PRODUCT", { params: { caseId }, body }, options)
  }

  /**
   * Adds an event to the calendar of a case.
   *
   * @example
   * ```ts
   * await care.cases.createCalendarEvent(caseId, {
   *   calendar: {
   *     title: "Follow-up visit",
   *     agentName: "custom",
   *     startTime: "2058-08-01T14:00:00.000Z",
   *     endTime: "2058-08-01T14:30:00.000Z",
   *     timeZone: "America/New_York",
   *     meetingLink: "https://meet.example.com/1",
   *     location: "zoom_conference"
   *   }
   * })
   * ```
   */
  createCalendarEvent(
    caseId: string,
    body: BodyOf<"caseActions.CREATE_CALENDAR_EVENT">,
    options?: CallOptions
  ): Promise<AnswerOf<"caseActions.CREATE_CALENDAR_EVENT">> {
    return this.#transport.send("caseActions.CREATE_CALENDAR_EVENT", { params: { caseId }, body }, options)
  }

  /**
   * Cancels an event in the calendar of a case.
   *
   * @example
   * ```ts
   * await care.cases.cancelCalendarEvent(caseId, { calendar: { id: eventId } })
   * ```
   */
  cancelCalendarEvent(
    caseId: string,
    body: BodyOf<"caseActions.CANCEL_CALENDAR_EVENT">,
    options?: CallOptions
  ): Promise<AnswerOf<"caseActions.CANCEL_CALENDAR_EVENT">> {
    return this.#transport.send("caseActions.CANCEL_CALENDAR_EVENT", { params: { caseId }, body }, options)
  }
}
