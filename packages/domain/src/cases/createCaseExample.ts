import { shownIds } from "../http/shownIds.ts"

/** An example body of case creation, for the public document and for trying the API. */
export const createCaseExample = {
  user: {
    firstName: "Maria",
    lastName: "Lopez",
    email: "maria.lopez@example.com",
    phoneNumber: "+14155552671",
    dob: "1988-04-12",
    gender: "FEMALE",
    shippingAddress: {
      addressLine1: "500 Howard Street",
      city: "San Francisco",
      state: "CA",
      country: "US",
      postalCode: "94105"
    }
  },
  products: [
    {
      id: shownIds.product,
      visitType: "ASYNC_TEXT_EMAIL",
      form: {
        title: "Weight management intake",
        questions: [
          { question: "How much do you weigh in pounds?", answer: "185", type: "TEXT", phi: true },
          { question: "Do you have allergies?", answer: "No", type: "SINGLESELECT", options: ["Yes", "No"] }
        ]
      }
    }
  ]
}

/** The case of a checkout before the patient is redirected to a lender. */
export const abandonedCaseExample = {
  status: "ABANDONED",
  idempotencyKey: "checkout-1001-try-1",
  user: { firstName: "Maria", lastName: "Lopez", email: "maria.lopez@example.com" },
  payment: {
    amount: 299.99,
    currency: "USD",
    providerReference: { type: "PAYMENT_INTENT", id: "pi_3PqGkI2eZvKYlo2C" }
  },
  products: [{ id: shownIds.product }]
}
