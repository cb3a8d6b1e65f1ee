import { Appointments } from "./resources/Appointments.ts"
import { AuditRecords } from "./resources/AuditRecords.ts"
import { Bundles } from "./resources/Bundles.ts"
import { Cases } from "./resources/Cases.ts"
import { Events } from "./resources/Events.ts"
import { Forms } from "./resources/Forms.ts"
import { Patients } from "./resources/Patients.ts"
import { Payments } from "./resources/Payments.ts"
import { Products } from "./resources/Products.ts"
import { PromoCodes } from "./resources/PromoCodes.ts"
import { RequestLogs } from "./resources/RequestLogs.ts"
import { TestCases } from "./resources/TestCases.ts"
import { TestClock } from "./resources/TestClock.ts"
import { TestMessages } from "./resources/TestMessages.ts"
import { TestReset } from "./resources/TestReset.ts"
import { WebhookEndpoints } from "./resources/WebhookEndpoints.ts"
import { Webhooks } from "./resources/Webhooks.ts"
import { type CareOptions, Transport } from "./Transport.ts"

/** The client of the Partner Care API. Each method is one operation, and resolves to the body of its answer. */
export class Care {
  readonly cases: Cases
  readonly forms: Forms
  readonly payments: Payments
  readonly bundles: Bundles
  readonly products: Products
  readonly promoCodes: PromoCodes
  readonly appointments: Appointments
  readonly patients: Patients
  readonly webhookEndpoints: WebhookEndpoints
  readonly events: Events
  readonly webhooks = new Webhooks()
  readonly auditRecords: AuditRecords
  readonly requestLogs: RequestLogs
  readonly testClock: TestClock
  readonly testReset: TestReset
  readonly testMessages: TestMessages
  readonly testCases: TestCases

  constructor(options: CareOptions) {
    const transport = new Transport(options)
    this.cases = new Cases(transport)
    this.forms = new Forms(transport)
    this.payments = new Payments(transport)
    this.bundles = new Bundles(transport)
    this.products = new Products(transport)
    this.promoCodes = new PromoCodes(transport)
    this.appointments = new Appointments(transport)
    this.patients = new Patients(transport)
    this.webhookEndpoints = new WebhookEndpoints(transport)
    this.events = new Events(transport)
    this.auditRecords = new AuditRecords(transport)
    this.requestLogs = new RequestLogs(transport)
    this.testClock = new TestClock(transport)
    this.testReset = new TestReset(transport)
    this.testMessages = new TestMessages(transport)
    this.testCases = new TestCases(transport)
  }
}
