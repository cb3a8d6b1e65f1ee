import { Effect, Random } from "effect"

const conditions = ["Hypertension", "Type 2 diabetes", "High cholesterol", "Sleep apnea", "None"]
const medications = [
  ...["None", "None", "Metformin 500 mg twice a day", "Lisinopril 10 mg once a day", "Atorvastatin 20 mg at night"],
  ...["Levothyroxine 50 mcg in the morning", "A multivitamin"]
]
const allergies = ["Penicillin", "Sulfa drugs", "Latex", "Ibuprofen"]
const goals = [
  "I would like to lose about 20 pounds and keep it off.",
  "My doctor told me to lose weight because of my blood pressure.",
  "I have tried diets for years, and nothing lasts.",
  "I want to have more energy for my children.",
  "A friend has had good results, and I would like to try it."
]

/** Makes up the answers of an intake form, which fit each other. */
export const makeIntakeForm = Effect.gen(function* () {
  const heightInches = yield* Random.nextIntBetween(60, 75)
  const bodyMassIndex = yield* Random.nextIntBetween(27, 39)
  const weightPounds = Math.round((bodyMassIndex * heightInches ** 2) / 703)
  const isAllergic = (yield* Random.next) < 0.2
  const [first, second] = yield* Random.shuffle(conditions.slice(0, -1))
  const diagnosed = yield* Random.choice(["None", "None", first, `${first}, ${second}`])
  const text = (question: string, answer: string) =>
    ({ question, answer, type: "TEXT", required: true, phi: true }) as const
  return {
    title: "Intake",
    questions: [
      text("How much do you weigh in pounds?", String(weightPounds)),
      text("How tall are you?", `${Math.floor(heightInches / 12)} ft ${heightInches % 12} in`),
      {
        question: "Do you have allergies to medication?",
        answer: isAllergic ? "Yes" : "No",
        type: "SINGLESELECT",
        options: ["Yes", "No"],
        required: true,
        phi: true
      },
      ...(isAllergic ? [text("Which allergies?", yield* Random.choice(allergies))] : []),
      {
        question: "Which conditions have you been diagnosed with?",
        answer: diagnosed ?? "None",
        type: "MULTISELECT",
        options: conditions,
        required: true,
        phi: true
      },
      text("Which medications do you take?", yield* Random.choice(medications)),
      text("What would you like to achieve?", yield* Random.choice(goals))
    ]
  } as const
})
