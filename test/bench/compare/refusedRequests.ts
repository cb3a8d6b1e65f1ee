import { newCase } from "../newCase.ts"

type Body = ReturnType<typeof newCase>

const unknownId = "00000000-0000-4000-8000-000000000000"

/** Requests that both sides refuse, by what is wrong with them. `known` is the body that an active case was made with. */
export const refusedRequests = (productId: string, acceptedBody: Body) => {
  const detail = (query: string) => ({ path: `/api/v1/customer-case-detail${query}`, body: undefined })
  const body = newCase(productId)
  const creation = (changes: unknown) => ({ path: "/api/v1/cases", body: changes })
  const ofPatient = (user: Partial<Body["user"]>) => creation({ ...body, user: { ...body.user, ...user } })
  const withProducts = (...products: ReadonlyArray<unknown>) => creation({ ...body, products })
  const question = { question: "Allergies?", type: "SINGLESELECT", options: ["Yes", "No"], answer: "Maybe" }

  return {
    "a case that is not there": detail(`?caseId=${unknownId}`),
    "a case id that is none": detail("?caseId=x"),
    "neither a case id nor an email": detail(""),
    "a second active case": creation({ ...acceptedBody, products: body.products }),
    "a patient without a name": ofPatient({ firstName: " " }),
    "an email that is none": ofPatient({ email: "maria" }),
    "a phone number that is none": ofPatient({ phoneNumber: "+100" }),
    "the phone number of another patient": ofPatient({ phoneNumber: acceptedBody.user.phoneNumber }),
    "a day that is none": ofPatient({ dob: "1988-02-30" }),
    "a language that is none": ofPatient({ languagePreferences: ["xx"] }),
    "no product": withProducts(),
    "an unknown product": withProducts({ id: unknownId }),
    "a promo code without a payment": withProducts({ id: productId, payment: { promoCode: "SPRING" } }),
    "an answer that is no option": withProducts({ id: productId, form: { questions: [question] } })
  }
}
