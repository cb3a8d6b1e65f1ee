import { createCaseExample } from "@care/domain/cases/createCaseExample"

let patients = 0

/** Returns the data of a new patient. */
export const newPatient = () => {
  patients += 1
  const area = 201 + Math.floor(patients / 7_999_999)
  return {
    ...createCaseExample.user,
    email: `bench${patients}@example.com`,
    phoneNumber: `+1${area}${2_000_000 + (patients % 7_999_999)}`,
    languagePreferences: ["en"]
  }
}

const questions = [
  { question: "How much do you weigh in pounds?", answer: "185", type: "TEXT", required: true, phi: true },
  { question: "Do you have allergies?", answer: "No", type: "SINGLESELECT", options: ["Yes", "No"], phi: true },
  { question: "Anything else?", answer: "I would like to start next week.", type: "TEXT" }
]

/** Returns a body of case creation for a new patient. */
export const newCase = (productId: string) => ({
  user: newPatient(),
  products: [{ id: productId, form: { title: "Weight management intake", questions } }]
})
