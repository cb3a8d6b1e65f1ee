import { placeOrderExample } from "@care/domain/cases"
import type { Fixtures } from "./Fixtures.ts"
import type { MakeRequest, Operations } from "./Operation.ts"
import { simulatedSteps } from "./simulatedSteps.ts"

const question = { question: "How much do you weigh?", type: "TEXT", required: true, phi: true, answer: "185" }
const invalidRequest = { success: false, message: "Invalid request" }
const permissionDenied = { error: "Permission denied" }
const caseNotFound = { ...invalidRequest, error: "No Case found for provided details!" }
const ownCatalogue = "the organization's own catalogue"
// The texts of a form that comes with its answers: they are stored as the organization's form, and used again.
const formTexts = [
  "formTitle",
  "formDescription",
  "questions.*.question",
  "questions.*.hint",
  "questions.*.placeholder",
  "questions.*.options.*"
]
// Fields that take only codes.
const addressCodes = ["shippingAddress.state", "shippingAddress.country"]

const caseBody = async (fixtures: Fixtures, changes: object = {}) => ({
  user: await fixtures.person(),
  products: [
    {
      id: fixtures.productId,
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
  ...changes
})

const formBody = async (fixtures: Fixtures) => {
  const { email, firstName, lastName, phoneNumber } = await fixtures.person()
  return { email, firstName, lastName, phoneNumber, formTitle: `New form ${fixtures.next()}`, questions: [question] }
}

const ofCase =
  (body: object = {}, make: "assignedCase" | "case" = "case"): MakeRequest =>
  async (fixtures) => ({ params: { caseId: (await fixtures[make]()).caseId }, body })

const caseWithEverything: MakeRequest = async (fixtures) => ({
  query: {
    caseId: (await fixtures.caseWithFile()).caseId,
    includeAttachments: "true",
    includeCalendarEvents: "true",
    includeOrders: "true"
  }
})

const ofOrganization: MakeRequest = ({ organizationId }) => ({ params: { organizationId } })
const archived: MakeRequest = ({ organizationId }) => ({ params: { organizationId }, query: { isArchived: "true" } })
const ofForm: MakeRequest = async ({ form, organizationId }) => ({
  params: { organizationId, formId: (await form()).formId }
})
const ofBundle: MakeRequest = async ({ bundleId, organizationId }) => ({
  params: { organizationId, bundleId: await bundleId() }
})

const ofOrder: MakeRequest = async (fixtures) => {
  const { caseId, orderId } = await fixtures.order()
  return { params: { caseId, orderId } }
}

const ofEscalation: MakeRequest = async (fixtures) => {
  const { caseId, escalationId } = await fixtures.escalation()
  return { params: { caseId, escalationId } }
}

const ofShortId: MakeRequest = async (fixtures) => ({ query: { shortId: (await fixtures.case()).shortId } })

const foreignRead = {
  status: 403,
  body: { ...invalidRequest, error: "Permission denied!" },
  unknownIds: { status: 404, ...caseNotFound }
}

/** The operations on cases, files and the catalogue. */
export const cases = {
  "intake.createCase": {
    request: async (fixtures) => ({ body: await caseBody(fixtures) }),
    variants: {
      "a known patient, with a payment and a promo code": async (fixtures) => {
        const { email, phoneNumber } = await fixtures.formerCase()
        const providerReference = { type: "SETUP_INTENT", id: await fixtures.setupIntentId() }
        const payment = { amount: 49.5, currency: "USD", promoCode: await fixtures.promoCode(), providerReference }
        return {
          body: await caseBody(fixtures, { payment, user: { ...(await fixtures.person()), email, phoneNumber } })
        }
      }
    },
    measured: {
      "an idempotency key again": {
        request: async (fixtures) => {
          const body = await caseBody(fixtures, { idempotencyKey: `key ${fixtures.next()}` })
          await fixtures.send("intake.createCase", { body })
          return { body }
        }
      }
    },
    foreign: { status: 422 },
    organizationFields: ["products.*.form.title"],
    unmarkedFields: [
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
    request: async (fixtures) => ({ body: await formBody(fixtures) }),
    variants: {
      "a known form, with a file elsewhere": async (fixtures) => {
        const existing = await formBody(fixtures)
        await fixtures.send("dynamicCases.createDynamicCase", { body: existing })
        const file = { question: "Results?", type: "FILE", required: false }
        const questions = [question, { ...file, answer: [{ name: `${fixtures.text}.txt`, data: fixtures.fileUrl }] }]
        return { body: { ...(await formBody(fixtures)), formTitle: existing.formTitle, questions } }
      }
    },
    foreign: {
      status: 400,
      request: async (fixtures) => {
        const { formTitle: _, ...body } = await formBody(fixtures)
        const { formId, questionId } = await fixtures.form()
        return { body: { ...body, formId, questions: [{ questionId, answer: "185" }] } }
      }
    },
    organizationFields: formTexts,
    unmarkedFields: [...addressCodes, "gatewaySetupId", "gatewayPaymentId"],
    enrolls: true
  },
  "dynamicCases.submitCaseForm": {
    request: async (fixtures) => ({
      body: {
        caseId: (await fixtures.case()).caseId,
        formTitle: "Follow-up",
        questions: [{ ...question, questionId: "weight" }]
      }
    }),
    foreign: { status: 400 },
    organizationFields: formTexts,
    unmarkedFields: ["key", "questions.*.type", "questions.*.questionId"],
    addsNothing: ["FORM_SUBMITTED", "FILE_ATTACHED"]
  },
  "statusChanges.change": {
    request: ofCase({ status: "CLOSE", reason: "Done" }),
    variants: { open: ofCase({ status: "OPEN" }, "assignedCase") },
    foreign: {
      status: 401,
      body: { ...invalidRequest, message: "Permission denied", ...permissionDenied },
      unknownIds: { status: 400, ...caseNotFound }
    }
  },
  "simulations.possible": {
    request: async (fixtures) => ({ params: { caseId: await fixtures.sandboxCaseId() } }),
    foreign: {
      status: 403,
      body: { ...invalidRequest, error: "Permission denied!" },
      unknownIds: { status: 404, ...caseNotFound }
    }
  },
  "simulations.simulate": {
    request: async (fixtures) => ({
      params: { caseId: await fixtures.sandboxCaseId() },
      body: { step: "COMMENT", text: fixtures.text }
    }),
    variants: simulatedSteps,
    organizationFields: ["carrierName", "pharmacyOrderId"],
    unmarkedFields: ["eventTypeId"],
    foreign: {
      status: 403,
      body: { ...invalidRequest, error: "Permission denied!" },
      unknownIds: { status: 404, ...caseNotFound }
    }
  },
  "orders.placeOrder": {
    request: ofCase({ order: placeOrderExample.order }),
    foreign: {
      status: 403,
      body: { ...invalidRequest, ...permissionDenied },
      unknownIds: { status: 400, ...caseNotFound }
    },
    unmarkedFields: [
      "idempotencyKey",
      "order.prescriber.phoneNumber",
      "order.dateWritten",
      "order.dateSigned",
      "order.datePrescribed"
    ]
  },
  "escalations.add": {
    request: ofCase({ escalations: [{ type: "support", title: "Payment Received", note: "Wants a receipt" }] }),
    foreign: {
      status: 401,
      body: { ...invalidRequest, error: "Permission denied!" },
      unknownIds: { status: 400, ...invalidRequest, error: "Case not found!" }
    },
    unmarkedFields: ["escalations.*.title", "escalations.*.assignedToEmail"],
    quotes: "the specification has the title and unknown fields in the text"
  },
  "caseProducts.update": {
    request: async (fixtures) => ({
      params: { caseId: (await fixtures.newCase()).caseId },
      body: { caseProductInput: { productId: fixtures.productId, status: "CLOSE", reason: "Done" } }
    }),
    foreign: {
      status: 403,
      body: { ...invalidRequest, message: "Forbidden", ...permissionDenied },
      unknownIds: { status: 400, ...caseNotFound, code: "VALIDATION_ERROR" }
    }
  },
  "reading.caseDetail": {
    request: async (fixtures) => ({ query: { caseId: (await fixtures.case()).caseId } }),
    variants: {
      "the newest case of an email": async (fixtures) => ({ query: { email: (await fixtures.case()).email } }),
      "a case with everything": caseWithEverything
    },
    foreign: {
      status: 403,
      body: { ...invalidRequest, error: "Permission denied!" },
      unknownIds: { status: 404, ...caseNotFound },
      request: caseWithEverything
    },
    unmarkedFields: ["caseId", "email", "includeAttachments", "includeCalendarEvents", "includeOrders"]
  },
  "reading.latestCaseId": {
    request: async (fixtures) => ({ query: { email: (await fixtures.case()).email } }),
    variants: {
      "a phone number": async (fixtures) => ({ query: { phoneNumber: (await fixtures.case()).phoneNumber } })
    },
    foreign: { status: 400 },
    unmarkedFields: ["email", "phoneNumber"],
    erasedStatus: 400
  },
  "reading.cases": {
    request: () => ({}),
    variants: {
      "those of a status that few have": () => ({ query: { status: "ABANDONED" } }),
      "those that changed lately": () => ({
        query: { updatedSince: new Date(Date.now() - 3_600_000).toISOString() }
      }),
      "those that changed since long ago": () => ({ query: { updatedSince: "2020-01-01T00:00:00.000Z" } }),
      "the one with a short id": ofShortId
    },
    pages: { "the next page": () => ({}) },
    foreign: { status: 200, request: ofShortId },
    unmarkedFields: ["shortId"]
  },
  "reading.orders": { request: ofOrder, foreign: foreignRead },
  "reading.order": { request: ofOrder, foreign: foreignRead },
  "reading.escalations": { request: ofEscalation, foreign: foreignRead },
  "reading.escalation": { request: ofEscalation, foreign: foreignRead },
  "pharmacy.orderUpdated": {
    request: async (fixtures) => ({
      body: {
        type: "order.updated",
        timestamp: new Date().toISOString(),
        data: { externalId: await fixtures.orderId(), status: "SHIPPED", carrierName: "UPS" }
      }
    }),
    organizationFields: ["data.carrierName", "data.pharmacyOrderId"]
  },
  "documentLinks.download": {
    request: async (fixtures) => {
      const { pathname, searchParams } = new URL((await fixtures.caseWithFile()).documentUrl)
      return {
        params: { documentId: pathname.split("/").at(-1) ?? "" },
        query: { ...Object.fromEntries(searchParams), organizationId: fixtures.organizationId }
      }
    },
    foreign: { status: 403 },
    unmarkedFields: ["organizationId", "expires", "signature"]
  },
  "bundles.list": {
    request: () => ({}),
    variants: {
      "with a key's first request": async (fixtures) => ({ headers: { "cv-api-key": (await fixtures.apiKey()).key } })
    },
    foreign: { status: 200 },
    unaudited: ownCatalogue
  },
  "products.list": {
    request: () => ({}),
    variants: { "those that are archived": () => ({ query: { isArchived: "true" } }) },
    pages: { "the next page": () => ({}) },
    foreign: { status: 200 },
    unaudited: ownCatalogue
  },
  "bundles.get": {
    request: async (fixtures) => ({ params: { bundleUUID: await fixtures.bundleId() } }),
    foreign: { status: 400 },
    unaudited: ownCatalogue
  },
  "catalogue.createProduct": {
    request: ({ organizationId }) => ({ params: { organizationId }, body: { name: "Another program" } }),
    unaudited: ownCatalogue,
    organizationFields: true
  },
  "catalogue.listProducts": {
    request: ofOrganization,
    variants: { "those that are archived": archived },
    pages: { "the next page": ofOrganization, "the next page of those that are archived": archived },
    unaudited: ownCatalogue
  },
  "catalogue.changeProduct": {
    request: async ({ organizationId, unusedProductId }) => ({
      params: { organizationId, productId: await unusedProductId() },
      body: { name: "Renamed program", price: "49.00", isArchived: true }
    }),
    unaudited: ownCatalogue,
    organizationFields: true
  },
  "catalogue.listForms": {
    request: ofOrganization,
    variants: { "those that are archived": archived },
    pages: { "the next page": ofOrganization },
    unaudited: ownCatalogue
  },
  "catalogue.getForm": { request: ofForm, unaudited: ownCatalogue },
  "catalogue.changeForm": {
    request: async (fixtures) => ({
      ...(await ofForm(fixtures)),
      body: { title: `Renamed form ${fixtures.next()}`, isArchived: false }
    }),
    unaudited: ownCatalogue,
    organizationFields: true
  },
  "catalogue.listBundles": {
    request: ofOrganization,
    variants: { "those that are archived": archived },
    pages: { "the next page of those that are archived": archived },
    unaudited: ownCatalogue
  },
  "catalogue.getBundle": { request: ofBundle, unaudited: ownCatalogue },
  "catalogue.changeBundle": {
    request: async (fixtures) => ({
      ...(await ofBundle(fixtures)),
      body: { name: "Renamed bundle", price: "49.00", productIds: [fixtures.productId] }
    }),
    unaudited: ownCatalogue,
    organizationFields: true
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
    unaudited: ownCatalogue,
    organizationFields: true
  },
  // For another organization, so that the length of the measured list of bundles does not change.
  "catalogue.createBundle": {
    request: async (fixtures) => ({
      params: { organizationId: await fixtures.otherOrganizationId() },
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
    unaudited: ownCatalogue,
    organizationFields: true
  }
} satisfies Partial<Operations>
