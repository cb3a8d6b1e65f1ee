import type { BodyOf } from "@care/client"

const firstNames = ["Rosa", "Noa", "Eva", "Maria", "Lena", "Ines"]
const lastNames = ["Blum", "Weiss", "Ruiz", "Lopez", "Novak", "Costa"]

const among = (texts: ReadonlyArray<string>, number: number): string => texts[number % texts.length] ?? ""

const address = {
  addressLine1: "500 Howard Street",
  city: "San Francisco",
  state: "CA",
  country: "US",
  postalCode: "94105"
}

/** Returns a patient whom the sandbox does not know. `number` is a random one below ten million. */
export const newPatient = (number: number) => {
  const [firstName, lastName] = [among(firstNames, number), among(lastNames, Math.floor(number / 7))]
  const digits = String(number).padStart(7, "0")
  return {
    firstName,
    lastName,
    email: `${firstName}.${lastName}.${digits}@patients.example.com`.toLowerCase(),
    phoneNumber: `+1415${digits.replace(/^[01]/, "2")}`,
    dob: "1988-04-12",
    gender: "FEMALE" as const,
    shippingAddress: address
  }
}

/** The answers of the intake. */
export const intakeForm = {
  title: "Weight management intake",
  questions: [
    { question: "How much do you weigh in pounds?", answer: "185", type: "TEXT" as const, phi: true },
    { question: "Do you have allergies?", answer: "No", type: "SINGLESELECT" as const, options: ["Yes", "No"] }
  ]
}

/** Returns the answers of a later form. */
export const checkInOf = (caseId: string): BodyOf<"dynamicCases.submitCaseForm"> => ({
  caseId,
  formTitle: "Check-in",
  questions: [{ questionId: "weight", question: "How much do you weigh in pounds today?", type: "TEXT", answer: "179" }]
})

/** An order of medication. */
export const medication: BodyOf<"caseActions.PLACE_ORDER"> = {
  order: {
    shippingAddress: address,
    diagnosis: "E66.9",
    pharmacyId: "pharmacy-1",
    prescriber: {
      firstName: "Nora",
      lastName: "Hale",
      npi: "1234567893",
      email: "nora.hale@sandbox.example.com",
      phoneNumber: "+14155552672",
      address
    },
    prescriptionItems: [
      { drugId: "semaglutide-0.25", quantity: "4", direction: "Inject once a week", refillCount: 2, supplyDays: 28 }
    ]
  }
}

/** A task for the care team. */
export const supportTask: BodyOf<"caseActions.ADD_ESCALATION"> = {
  escalations: [{ type: "support", title: "Cancellation", note: "The patient wants to cancel" }]
}
