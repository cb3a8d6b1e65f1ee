import { createCaseExample } from "@care/domain/cases/createCaseExample"

let patients = 0

/** A patient whom nobody has seen before. */
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

/** A body of case creation, of a patient whom nobody has seen before. */
export const newCase = (productId: string) => ({
  user: newPatient(),
  products: [{ id: productId, form: { title: "Weight management intake", questions } }]
})
