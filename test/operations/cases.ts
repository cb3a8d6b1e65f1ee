import { placeOrderExample } from "@care/domain/cases"
import type { Fixtures } from "./Fixtures.ts"
import type { Operations, Recipe } from "./Operation.ts"

const question = { question: "How much do you weigh?", type: "TEXT", required: true, phi: true, answer: "185" }
const invalid = { success: false, message: "Invalid request" }
const denied = { error: "Permission denied" }
const noCase = { ...invalid, error: "No Case found for provided details!" }
const catalogue = "the organization's own catalogue"
// What is stored of a form that comes with its answers, and used again.
const formTexts = [
  "formTitle",
  "formDescription",
  "questions.*.question",
  "questions.*.hint",
  "questions.*.placeholder",
  "questions.*.options.*"
]
// Dates, codes and words of a list.
const addressCodes = ["shippingAddress.state", "shippingAddress.country"]

const newCase = async (of: Fixtures, more: object = {}) => ({
  user: await of.person(),
  products: [
    {
      id: of.productId,
      form: {
        title: "Weight management intake",
        questions: [
          { question: "How much do you weigh in pounds?", answer: "185", type: "TEXT", required: true, phi: true },
          { question: "Do you have allergies?", answer: "No", type: "SINGLESELECT", options: ["Yes", "No"], phi: true },
          { question: "Anything else?", answer: "I would like to start next week.", type: "TEXT" }
        ]
      }
    }
  ],
  ...more
})

const newForm = async (of: Fixtures) => {
  const { email, firstName, lastName, phoneNumber } = await of.person()
  return { email, firstName, lastName, phoneNumber, formTitle: `New form ${of.next()}`, questions: [question] }
}

const ofCase =
  (body: object = {}, make: "assignedCase" | "case" = "case"): Recipe =>
  async (of) => ({ params: { caseId: (await of[make]()).caseId }, body })

const everything: Recipe = async (of) => ({
  query: {
    caseId: (await of.caseWithFile()).caseId,
    includeAttachments: "true",
    includeCalendarEvents: "true",
    includeOrders: "true"
  }
})

/** What partners do with cases, files and what an organization sells. */
export const cases = {
  "intake.createCase": {
    request: async (of) => ({ body: await newCase(of) }),
    also: {
      "a known patient, with a payment and a promo code": async (of) => {
        const { email, phoneNumber } = await of.formerCase()
        const providerReference = { type: "SETUP_INTENT", id: await of.setupIntentId() }
        const payment = { amount: 49.5, currency: "USD", promoCode: await of.promoCode(), providerReference }
        return { body: await newCase(of, { payment, user: { ...(await of.person()), email, phoneNumber } }) }
      }
    },
    measured: {
      "an idempotency key again": {
        request: async (of) => {
          const body = await newCase(of, { idempotencyKey: `key ${of.next()}` })
          await of.send("intake.createCase", { body })
          return { body }
        }
      }
    },
    foreign: { status: 422 },
    own: ["products.*.form.title"],
    spares: [
      "idempotencyKey",
      "user.dob",
      "user.languagePreferences.*",
      ...addressCodes.map((code) => `user.${code}`),
      "payment.currency",
      "payment.status",
      "products.*.payment.promoCode"
    ],
    quotes: "which promo code was not found, where there may be several",
    enrolls: true
  },
  "dynamicCases.createDynamicCase": {
    request: async (of) => ({ body: await newForm(of) }),
    also: {
      "a known form, with a file elsewhere": async (of) => {
        const known = await newForm(of)
        await of.send("dynamicCases.createDynamicCase", { body: known })
        const file = { question: "Results?", type: "FILE", required: false }
        const questions = [question, { ...file, answer: [{ name: `${of.text}.txt`, data: of.fileUrl }] }]
        return { body: { ...(await newForm(of)), formTitle: known.formTitle, questions } }
      }
    },
    foreign: {
      status: 400,
      request: async (of) => {
        const { formTitle: _, ...body } = await newForm(of)
        const { formId, questionId } = await of.form()
        return { body: { ...body, formId, questions: [{ questionId, answer: "185" }] } }
      }
    },
    own: formTexts,
    spares: [...addressCodes, "gatewaySetupId", "gatewayPaymentId"],
    enrolls: true
  },
  "dynamicCases.submitCaseForm": {
    request: async (of) => ({
      body: {
        caseId: (await of.case()).caseId,
        formTitle: "Follow-up",
        questions: [{ ...question, questionId: "weight" }]
      }
    }),
    foreign: { status: 400 },
    own: formTexts,
    spares: ["key", "questions.*.type", "questions.*.questionId"],
    addsNothing: ["FORM_SUBMITTED", "FILE_ATTACHED"]
  },
  "statusChanges.change": {
    request: ofCase({ status: "CLOSE", reason: "Done" }),
    also: { open: ofCase({ status: "OPEN" }, "assignedCase") },
    foreign: {
      status: 401,
      body: { ...invalid, message: "Permission denied", ...denied },
      nobodys: { status: 400, ...noCase }
    }
  },
  "orders.placeOrder": {
    request: ofCase({ order: placeOrderExample.order }),
    foreign: { status: 403, body: { ...invalid, ...denied }, nobodys: { status: 400, ...noCase } },
    spares: [
      "idempotencyKey",
      "order.prescriber.phoneNumber",
      "order.dateWritten",
      "order.dateSigned",
      "order.datePrescribed"
    ]
  },
  "escalations.add": {
    request: ofCase({ escalations: [{ type: "support", title: "Cancellation", note: "Wants to cancel" }] }),
    foreign: {
      status: 401,
      body: { ...invalid, error: "Permission denied!" },
      nobodys: { status: 400, ...invalid, error: "Case not found!" }
    },
    spares: ["escalations.*.title", "escalations.*.assignedToEmail"],
    quotes: "the specification has the title and unknown fields in the text"
  },
  "caseProducts.update": {
    request: async (of) => ({
      params: { caseId: (await of.newCase()).caseId },
      body: { caseProductInput: { productId: of.productId, status: "CLOSE", reason: "Done" } }
    }),
    foreign: {
      status: 403,
      body: { ...invalid, message: "Forbidden", ...denied },
      nobodys: { status: 400, ...noCase, code: "VALIDATION_ERROR" }
    }
  },
  "reading.caseDetail": {
    request: async (of) => ({ query: { caseId: (await of.case()).caseId } }),
    also: {
      "the newest case of an email": async (of) => ({ query: { email: (await of.case()).email } }),
      "a case with everything": everything
    },
    foreign: {
      status: 403,
      body: { ...invalid, error: "Permission denied!" },
      nobodys: { status: 404, ...noCase },
      request: everything
    },
    spares: ["caseId", "email", "includeAttachments", "includeCalendarEvents", "includeOrders"]
  },
  "reading.latestCaseId": {
    request: async (of) => ({ query: { email: (await of.case()).email } }),
    also: { "a phone number": async (of) => ({ query: { phoneNumber: (await of.case()).phoneNumber } }) },
    foreign: { status: 400 },
    spares: ["email", "phoneNumber"],
    erased: 400
  },
  "pharmacy.orderUpdated": {
    request: async (of) => ({
      body: {
        type: "order.updated",
        timestamp: new Date().toISOString(),
        data: { externalId: await of.orderId(), status: "SHIPPED", carrierName: "UPS" }
      }
    }),
    own: ["data.carrierName", "data.pharmacyOrderId"]
  },
  "documentLinks.download": {
    request: async (of) => {
      const { pathname, searchParams } = new URL((await of.caseWithFile()).documentUrl)
      return {
        params: { documentId: pathname.split("/").at(-1) ?? "" },
        query: { ...Object.fromEntries(searchParams), organizationId: of.organizationId }
      }
    },
    foreign: { status: 403 },
    spares: ["organizationId", "expires", "signature"]
  },
  "bundles.list": {
    request: () => ({}),
    also: { "with a key's first request": async (of) => ({ headers: { "cv-api-key": (await of.apiKey()).key } }) },
    foreign: { status: 200 },
    unaudited: catalogue
  },
  "bundles.get": {
    request: async (of) => ({ params: { bundleUUID: await of.bundleId() } }),
    foreign: { status: 400 },
    unaudited: catalogue
  },
  "catalogue.createProduct": {
    request: ({ organizationId }) => ({ params: { organizationId }, body: { name: "Another program" } }),
    unaudited: catalogue,
    own: true
  },
  "catalogue.createForm": {
    request: ({ next, organizationId }) => ({
      params: { organizationId },
      body: {
        title: `Stored form ${next()}`,
        questions: [
          { question: "How much do you weigh?", type: "SINGLESELECT", required: true, options: ["Yes", "No"] }
        ]
      }
    }),
    unaudited: catalogue,
    own: true
  },
  // Of another organization, so that the list of bundles stays as long as it is.
  "catalogue.createBundle": {
    request: async (of) => ({
      params: { organizationId: await of.otherOrganizationId() },
      body: {
        name: "Bundle",
        description: "A program",
        imageUrl: "https://example.com/bundle.png",
        price: "99.00",
        priceUnit: "USD",
        initialDiscount: "0.00",
        isSoldOut: false,
        isVisible: true
      }
    }),
    unaudited: catalogue,
    own: true
  }
} satisfies Partial<Operations>
